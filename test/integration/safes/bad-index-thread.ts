// The thread that builds indexes, which some Safes make hang or die.
import { parentPort } from 'node:worker_threads'
import '../../../safes/index/index-worker.js'
import type { Job } from '../../../safes/index/index-thread.js'

parentPort?.on('message', ({ safeId }: Job) => {
  if (safeId === 'hangs') for (;;);
  if (safeId === 'exits') process.exit(1)
  if (safeId === 'throws') throw new Error('broken')
  if (safeId !== 'grows') return
  const hoard: string[][] = []
  for (;;) hoard.push(Array.from({ length: 10_000 }, (_, i) => `${hoard.length} ${i}`))
})
