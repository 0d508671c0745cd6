import { Worker } from 'node:worker_threads'

/** A sign of life, sent on a timer, which a hung process or thread does not run. */
export const ALIVE = 'alive'
const ALIVE_MS = 500

/**
 * To be called first in a child process (`child.ts`). It ends with its parent, and when it uses too much memory: a
 * thread watches that, because one native operation can keep the main thread from doing anything. Signals that a
 * terminal or a container sends to all processes are left to the parent, which ends its children.
 * @returns sends a message to the parent, and resolves when it has left: what waits to be sent does not add up
 */
export function inChild<In, Out>(take: (message: In) => void): (message: Out) => Promise<void> {
  const [guard = '', parent, memoryMb] = process.argv.slice(2)
  new Worker(guard, { workerData: { parent: Number(parent), memoryMb: Number(memoryMb) } }).unref()
  process.on('disconnect', () => process.exit())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('message', take)
  // What fails because the service has ended is followed by `disconnect`.
  return message => new Promise(left => process.send?.(message, undefined, undefined, () => left()))
}

/** For a child or a thread that its `Pool` watches. */
export const giveSignsOfLife = (send: (sign: typeof ALIVE) => unknown) =>
  setInterval(() => send(ALIVE), ALIVE_MS).unref()
