// The thread that builds indexes; some Safes make it hang or die.
import { parentPort } from 'node:worker_threads'
import '../../../domain/safes/index/index-worker.js'

parentPort?.on('message', ({ next }: { next?: { args: string[] } }) => {
  const [safeId] = next?.args ?? []
  if (safeId === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (safeId === 'exits') process.exit(1)
  if (safeId === 'throws') throw new Error('broken')
  if (safeId !== 'grows') return
  const hoard: number[][] = []
  for (;;) hoard.push(new Array(1_000_000).fill(hoard.length))
})
