// A process that is asked to read a file and misbehaves, in the way that the file's name says.

import { setTimeout as pause } from 'node:timers/promises'
import type { ReadingWork } from '../../../domain/safes/imports/reader-messages.js'
import { serve } from '../../../platform/processes/serve.js'

const place = { file: 'notes/a.md', line: 7 }
const piece = { rows: null, badLines: [], counts: { relations: 0, passages: 0 }, bytesRead: 1, place }

const since = process.cpuUsage()

serve<ReadingWork>(async function* ({ source }, ask) {
  yield sent()
  if (['waits', 'burns', 'works'].includes(source)) {
    for (let pieces = 1; pieces < 10 || source === 'burns'; pieces++) {
      await slowly(source)
      yield sent(source === 'works' ? pieces * 10_000 : 0)
    }
    return sent(0, { contentHash: 'end' })
  }
  if (source === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (source === 'opens') await ask({ open: 0 })
  if (source === 'exits') process.exit(1)
  if (source === 'throws') setImmediate(() => JSON.parse('broken'))
  if (source === 'throws') return new Promise(() => {})
  if (source === 'parses') JSON.parse(`[${'[],'.repeat(10_000_000)}[]]`)
  const hoard: unknown[] = []
  for (;;)
    hoard.push(source === 'buffers' ? Buffer.alloc(1_048_576, 1) : new Array(100_000).fill(hoard.length))
})

/** Waits, or keeps the processor busy. */
async function slowly(source: string): Promise<void> {
  if (source === 'waits') return pause(100)
  const before = process.cpuUsage().user
  while (process.cpuUsage().user - before < 200_000);
}

function sent(relations = 0, end: { contentHash?: string } = {}) {
  const { user, system } = process.cpuUsage(since)
  return { piece: { ...piece, counts: { relations, passages: 0 }, ...end }, usedMs: (user + system) / 1000 }
}
