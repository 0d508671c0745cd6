// A thread that is asked to read a file and misbehaves, in the way that the file's name says.
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from '../../../safes/imports/import-thread.js'

const send = (message: FromThread) => parentPort?.postMessage(message)
const place = { file: 'notes/a.md', line: 7 }
const piece = { rows: null, badLines: [], counts: { relations: 0, passages: 0 }, bytesRead: 1, place }

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'read') send({ kind: 'piece', piece: { ...piece, rows: null } })
  if (message.kind === 'read') wanted = message.job.source
  if (message.kind === 'go on') misbehave()
})

let wanted = ''

function misbehave(): void {
  if (wanted === 'hangs') for (;;);
  if (wanted === 'exits') process.exit(1)
  if (wanted === 'throws') throw new Error('broken')
  const hoard: string[][] = []
  for (;;) hoard.push(Array.from({ length: 10_000 }, (_, i) => `${hoard.length} ${i}`))
}
