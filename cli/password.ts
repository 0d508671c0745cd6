import { type Arguments, type Context, Refusal, UsageError } from './command.js'

/** The password for an account: the first line of standard input, or typed twice and not shown. */
export async function readPassword(context: Context, args: Arguments): Promise<string> {
  if (args.options['password-stdin']) return firstLine(context)
  if (!context.stdin.isTTY)
    throw new UsageError('Without a terminal the password comes with --password-stdin.')
  const password = await ask(context, 'Password: ')
  if ((await ask(context, 'Again: ')) !== password) throw new Refusal('The two passwords are not the same.')
  return password
}

async function firstLine({ stdin }: Context): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const BACKSPACES = ['\u007f', '\b']

/** Reads a line in raw mode, so that the terminal does not show it. */
function ask({ stdin, stderr }: Context, prompt: string): Promise<string> {
  stderr.write(prompt)
  stdin.setRawMode?.(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  return new Promise((resolve, reject) => {
    let typed: string[] = []
    const end = (settle: () => void) => {
      stdin.off('data', onData)
      stdin.setRawMode?.(false)
      stdin.pause()
      stderr.write('\n')
      settle()
    }
    const onData = (characters: string) => {
      for (const character of characters) {
        if (character === CTRL_C || character === CTRL_D) return end(() => reject(new Refusal('Stopped.')))
        if (character === '\r' || character === '\n') return end(() => resolve(typed.join('')))
        if (BACKSPACES.includes(character)) typed = typed.slice(0, -1)
        else typed.push(character)
      }
    }
    stdin.on('data', onData)
  })
}
