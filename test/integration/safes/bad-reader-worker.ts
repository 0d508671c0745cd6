// A process that is asked to read a file and misbehaves, in the way that the file's name says.

import type { FromReader, ToReader } from '../../../domain/safes/imports/reader-messages.js'
import { inChild } from '../../../platform/processes/in-child.js'

const place = { file: 'notes/a.md', line: 7 }
const piece = { rows: null, badLines: [], counts: { relations: 0, passages: 0 }, bytesRead: 1, place }

const send = inChild<ToReader, FromReader>(message => {
  if (message.kind === 'read') void send({ kind: 'piece', piece: { ...piece, rows: null } })
  if (message.kind === 'read') wanted = message.job.source
  if (message.kind !== 'go on') return
  if (wanted === 'waits') setTimeout(goOn, 100)
  else if (wanted === 'burns') goOn(0 * burn())
  else if (wanted === 'works') goOn(burn() * 10_000)
  else misbehave()
})

let wanted = ''
let pieces = 0

/** Keeps the processor busy for a while. Returns how often. */
function burn(): number {
  const before = process.cpuUsage().user
  while (process.cpuUsage().user - before < 200_000);
  return pieces + 1
}

/** Sends a piece, the tenth as the last. */
function goOn(relations = 0): void {
  const end = ++pieces === 10 && wanted !== 'burns' ? { contentHash: 'end' } : {}
  void send({ kind: 'piece', piece: { ...piece, counts: { relations, passages: 0 }, ...end } })
}

function misbehave(): void {
  if (wanted === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (wanted === 'opens') void send({ kind: 'open', file: 0, request: 1 })
  if (wanted === 'exits') process.exit(1)
  if (wanted === 'throws') throw new Error('broken')
  if (wanted === 'parses') JSON.parse(`[${'[],'.repeat(10_000_000)}[]]`)
  const hoard: unknown[] = []
  for (;;)
    hoard.push(wanted === 'buffers' ? Buffer.alloc(1_048_576, 1) : new Array(100_000).fill(hoard.length))
}
