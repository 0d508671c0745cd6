import { setTimeout as pause } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** After Ctrl-C, the process does not wait any longer. */
const UNDO_MS = 3_000

/** Runs `work`. If the process is asked to end meanwhile, `undo` runs first to cancel it. */
export async function undoneWhenEnded<Result>(
  undo: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = (signal: NodeJS.Signals) => {
    for (const name of SIGNALS) process.off(name, end)
    void Promise.race([undo().catch(() => {}), pause(UNDO_MS)]).then(() => process.kill(process.pid, signal))
  }
  for (const name of SIGNALS) process.on(name, end)
  try {
    return await work()
  } finally {
    for (const name of SIGNALS) process.off(name, end)
  }
}
