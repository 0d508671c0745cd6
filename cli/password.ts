import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { type CommandContext, CommandError } from './command.js'

/** The option of commands that take a password. */
export interface PasswordSource {
  passwordStdin?: true
}

/** Reads a password from the first line of standard input, or typed twice without echo. */
export async function readPassword(
  context: CommandContext,
  { passwordStdin }: PasswordSource,
  command: Command,
): Promise<string> {
  if (passwordStdin) return firstLine(context)
  if (!context.stdin.isTTY) command.error('error: Without a terminal, use --password-stdin.')
  const password = await ask(context, 'Password: ')
  if ((await ask(context, 'Again: ')) !== password) throw new CommandError('The passwords do not match.')
  return password
}

async function firstLine({ stdin }: CommandContext): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/** Discards the line editor's echo. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** @throws CommandError after Ctrl-C and Ctrl-D */
async function ask({ stdin, stderr }: CommandContext, prompt: string): Promise<string> {
  const editor = createInterface({ input: stdin, output: nowhere(), terminal: true, historySize: 0 })
  const stopped = new AbortController()
  editor.once('close', () => stopped.abort())
  // From here on the terminal does not show typed text.
  stderr.write(prompt)
  try {
    return await editor.question('', { signal: stopped.signal })
  } catch {
    throw new CommandError('Stopped.')
  } finally {
    editor.close()
    stderr.write('\n')
  }
}
