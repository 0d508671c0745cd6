// A process that builds indexes, within the memory that it may use (docs/decisions/0029).
import { serve } from '../../../platform/processes/serve.js'
import { openReader } from '../../../platform/storage/open-database.js'
import { ContentStore } from '../stores/content.sql.js'
import type { Building } from './build-process.js'
import { BuildsHere } from './builds-here.js'

/** Bytes of a message. */
const PIECE = 1_048_576

let builds: Promise<BuildsHere> | undefined

serve<Building>(async function* ({ place, safeId, ranges, pendingImport }) {
  builds ??= openReader(place).then(reader => new BuildsHere(new ContentStore(reader)))
  if (!ranges) return (await builds).prepare(safeId)
  const { layout, bytes } = await (await builds).build(safeId, ranges, pendingImport)
  yield layout
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.slice(at, at + PIECE)
})
