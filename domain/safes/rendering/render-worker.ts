// A process that renders documents: one at a time, first read, then written (docs/decisions/0070).
import { loadDocumentParser, type ParsedDocument } from '../../../engine/rendering/index.js'
import { inChild } from '../../../platform/processes/in-child.js'
import type { FromRenderer, ToRenderer } from './render-messages.js'

const parser = loadDocumentParser()
let parsed: ParsedDocument | null = null

const send = inChild<ToRenderer, FromRenderer>(async ({ parse, render }) => {
  if (parse) {
    parsed = (await parser).parseDocument(parse.kind, parse.text)
    await send({ targets: parsed.targets, instead: parsed.instead })
  } else if (render && parsed) {
    const found = new Map(render.found)
    const { passages, title } = render
    const article = parsed.render({ resolve: target => found.get(target) ?? null, passages, title })
    parsed = null
    await send({ article })
  }
})
