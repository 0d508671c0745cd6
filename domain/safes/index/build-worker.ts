// A process that builds indexes within its memory limit (docs/decisions/0029).
import { serve } from '../../../platform/processes/serve.js'
import { openReader } from '../../../platform/storage/open-database.js'
import { ContentStore } from '../stores/content.sql.js'
import type { Building } from './build-process.js'
import { type BuildIndex, buildsHere } from './complete-index.js'

/** Maximum bytes of a message. */
const PIECE = 1_048_576

let building: Promise<BuildIndex> | undefined

serve<Building>(async function* ({ place, safeId, pendingImport }) {
  building ??= openReader(place).then(reader => buildsHere(new ContentStore(reader)))
  const build = await building
  const { layout, bytes } = await build(safeId, pendingImport)
  yield layout
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.slice(at, at + PIECE)
})
