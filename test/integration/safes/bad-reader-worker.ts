// A process that should read a file and misbehaves as the file's name tells it to.

import { setTimeout as pause } from 'node:timers/promises'
import type { ReadingWork } from '../../../domain/safes/imports/reading-bytes.js'
import { serve } from '../../../platform/processes/serve.js'

const place = { file: 'notes/a.md', line: 7 }
const piece = { rows: null, badLines: [], counts: { relations: 0, passages: 0 }, bytesRead: 1, place }

/** The processor time that it reports. Milliseconds. */
let usedMs = 0

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

/** Waits, or is busy. */
async function slowly(source: string): Promise<void> {
  if (source === 'waits') await pause(100)
  else usedMs += 200
}

const sent = (relations = 0, end: { contentHash?: string } = {}) => ({
  piece: { ...piece, counts: { relations, passages: 0 }, ...end },
  usedMs,
})
