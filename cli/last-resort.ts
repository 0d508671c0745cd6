import { type CommandContext, printMessage } from './command.js'

/** How long the process of a finished command may take to end. */
const PATIENCE_MS = 10_000

interface Ending extends Pick<CommandContext, 'stdout' | 'stderr'> {
  /** Ends the process. */
  exit(): void
  everyMs?: number
}

/**
 * Ends the process of a finished command if something keeps it alive, and reports that: a job that never ends keeps all later ones
 * waiting. Output to a slow reader is not cut off.
 */
export function endAnyway({ stdout, stderr, exit, everyMs = PATIENCE_MS }: Ending): void {
  const timer = setInterval(() => {
    if (stdout.writableLength > 0 || stderr.writableLength > 0) return
    clearInterval(timer)
    const left = process.getActiveResourcesInfo().join(', ')
    printMessage({ stderr }, `The command had finished, but its process did not end, and was ended: ${left}.`)
    exit()
  }, everyMs)
  timer.unref()
}
