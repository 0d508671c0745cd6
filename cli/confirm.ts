import { createInterface } from 'node:readline/promises'
import { visibleText } from '../platform/common/visible-text.js'
import { type CommandContext, CommandError, UsageError } from './command.js'

/** The option of commands that ask before they remove something. */
export interface Confirmed {
  yes?: true
}

export const YES = ['-y, --yes', 'Do not ask.'] as const

/**
 * Asks on a terminal. Without one nobody can answer, and a script must pass --yes: a redirected input would otherwise be
 * taken for consent (docs/decisions/0045).
 * @throws CommandError unless the answer is yes
 */
export async function confirm(
  { stdin, stderr }: CommandContext,
  { yes }: Confirmed,
  question: string,
): Promise<void> {
  if (yes) return
  if (!stdin.isTTY)
    throw new UsageError(
      `${question} There is no terminal to ask on. Use --yes to continue. Nothing was changed.`,
    )
  const editor = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0 })
  const stopped = new AbortController()
  editor.once('close', () => stopped.abort())
  const answer = await editor
    .question(`${visibleText(question)} [y/N] `, { signal: stopped.signal })
    .catch(() => '')
  editor.close()
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.')
}
