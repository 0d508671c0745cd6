// A process that reads the files of imports: decoding, unpacking, parsing and checking (docs/decisions/0029).
import { setPriority } from 'node:os'
import { type ALIVE, giveSignsOfLife, inChild } from '../../../platform/processes/in-child.js'
import { filePiecesOf } from './file-pieces.js'
import { piecesOf } from './import-pieces.js'
import { ImportRejected, ImportSource } from './import-source.js'
import { packed } from './packed-rows.js'
import type { FromReader, Piece, ReadingJob, SentPiece, ToReader } from './reader-messages.js'

/** Between two pieces. */
const EVERY_MS = 200
/** Requests have priority. */
const NICE = 5

type Bytes = Extract<ToReader, { kind: 'bytes' | 'broken' }>

/** Resolvers for messages that the reader waits for: bytes, or permission to continue. */
let gotBytes: ((message: Bytes) => void) | null = null
/** The latest request for bytes. Those of a file that was not read to its end may come late. */
let requested = 0
let goOn: (() => void) | null = null

const send = inChild<ToReader, FromReader | typeof ALIVE>(message => {
  if (message.kind === 'read') void read(message.job)
  else if (message.kind === 'go on') goOn?.()
  else if (message.request === requested) gotBytes?.(message)
})

setPriority(0, NICE)
giveSignsOfLife(send)

async function read(job: ReadingJob): Promise<void> {
  try {
    for await (const piece of piecesIn(job)) {
      const answered = new Promise<void>(resolve => {
        goOn = resolve
      })
      void send({ kind: 'piece', piece: sent(piece) })
      if (piece.contentHash === undefined) await answered
    }
  } catch (error) {
    const message = error instanceof ImportRejected ? error.message : String((error as Error).stack)
    void send({ kind: 'failed', message, isRefusal: error instanceof ImportRejected })
  }
}

function sent(piece: Piece): SentPiece {
  if (!('rows' in piece) || piece.rows === null) return piece
  const { rows, ...rest } = piece
  return { ...rest, packed: packed(rows) }
}

function piecesIn({ format, folder, each, spoolFolder, ...job }: ReadingJob) {
  const files = (folder?.paths ?? []).map((path, file) => ({ path, open: async () => bytesOf(file) }))
  if (each) {
    const { scopes, lineBreaks } = each
    const scoped = files.map((file, at) => ({
      ...file,
      scope: scopes[at] ?? '',
      lineBreaks: lineBreaks[at],
    }))
    return filePiecesOf({ ...each, files: scoped }, EVERY_MS)
  }
  const opened = folder ? { files: { ...folder, files } } : { bytes: bytesOf(null) }
  return piecesOf(new ImportSource({ ...job, ...opened }, format, spoolFolder), EVERY_MS)
}

/** The bytes of a file, requested from the service. */
async function* bytesOf(file: number | null): AsyncGenerator<Uint8Array> {
  let answer = request({ kind: 'open', file, request: ++requested })
  try {
    for (;;) {
      const message = await answer
      if (message.kind === 'broken') throw new Error(message.message)
      if (message.bytes === null) return
      // The next ones travel while these are read.
      answer = request({ kind: 'pull', request: ++requested })
      yield message.bytes
    }
  } finally {
    void send({ kind: 'close' })
  }
}

function request(message: FromReader): Promise<Bytes> {
  const answer = new Promise<Bytes>(resolve => {
    gotBytes = resolve
  })
  void send(message)
  return answer
}
