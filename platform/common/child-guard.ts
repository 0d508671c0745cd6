import { Worker } from 'node:worker_threads'

/**
 * To be called first in a child process (`child.ts`). It ends with its parent, and when it uses too much memory: a
 * thread watches that, because one native operation can keep the main thread from doing anything. Signals that a
 * terminal or a container sends to all processes are left to the parent, which ends its children.
 */
export function guardChild(): void {
  const [guard = '', parent, memoryMb] = process.argv.slice(2)
  new Worker(guard, { workerData: { parent: Number(parent), memoryMb: Number(memoryMb) } }).unref()
  process.on('disconnect', () => process.exit())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}
