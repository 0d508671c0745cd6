// A process that renders documents: one at a time, first read, then written (docs/decisions/0070).
import { loadDocumentParser, loadFormulas } from '../../../engine/rendering/index.js'
import { serve } from '../../../platform/processes/serve.js'
import type { RenderWork } from './renderer.js'

const parser = loadDocumentParser()

serve<RenderWork>(async function* ({ kind, text }) {
  const parsed = (await parser).parseDocument(kind, text)
  const { found, ...shown } = yield { targets: parsed.targets }
  const links = new Map(found)
  const formula = parsed.hasFormulas ? (await loadFormulas()).formulaOf() : undefined
  return parsed.render({ resolve: target => links.get(target) ?? null, formula, ...shown })
})
