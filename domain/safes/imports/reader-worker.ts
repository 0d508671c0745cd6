// A process that reads the files of imports: decoding, unpacking, parsing and checking (docs/decisions/0029).
import { setPriority } from 'node:os'
import { type Ask, serve } from '../../../platform/processes/serve.js'
import { filePiecesOf } from './file-pieces.js'
import { piecesOf } from './import-pieces.js'
import { ImportSource } from './import-source.js'
import { packed } from './packed-rows.js'
import type { Piece, ReadingJob, ReadingWork, SentPiece } from './reading-bytes.js'

/** Milliseconds between two pieces. */
const EVERY_MS = 200
/** Requests have priority. */
const NICE = 5

serve<ReadingWork>(async function* (job, ask) {
  const since = process.cpuUsage()
  for await (const piece of piecesIn(job, ask)) {
    const { user, system } = process.cpuUsage(since)
    const message = { piece: sent(piece), usedMs: (user + system) / 1000 }
    if (piece.contentHash !== undefined) return message
    yield message
  }
  throw new Error('The last piece has no hash.')
})
setPriority(0, NICE)

function sent(piece: Piece): SentPiece {
  if (!('rows' in piece) || piece.rows === null) return piece
  const { rows, ...rest } = piece
  return { ...rest, packed: packed(rows) }
}

function piecesIn({ folder, each, ...job }: ReadingJob, ask: Ask<ReadingWork>): AsyncGenerator<Piece> {
  const opened = <File>(files: File[]) =>
    files.map((file, at) => ({ ...file, open: async () => bytesOf(at, ask) }))
  if (each) return filePiecesOf({ ...each, files: opened(each.files) }, EVERY_MS)
  const from = folder ? { files: { ...folder, files: opened(folder.files) } } : { bytes: bytesOf(null, ask) }
  return piecesOf(new ImportSource({ ...job, ...from }), EVERY_MS)
}

/** The bytes of a file, requested from the service. */
async function* bytesOf(open: number | null, ask: Ask<ReadingWork>): AsyncGenerator<Uint8Array> {
  let answer = ask({ open })
  try {
    for (;;) {
      const bytes = await answer
      if (!bytes) return
      // The next ones arrive while these are read.
      answer = ask('pull')
      // The result may not be needed.
      answer.catch(() => {})
      yield bytes
    }
  } finally {
    void ask('close')
  }
}
