import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { buildDomains } from '../domains.js'
import { ConfigError, loadConfig } from '../plugins/config.js'
import { DomainError } from '../plugins/domain-error.js'
import { Unavailable } from '../plugins/unavailable.js'
import { accountCommands } from './account.js'
import { askCommands } from './ask.js'
import { type Arguments, type Command, type Context, print, Refusal, tell, UsageError } from './command.js'
import { configCommands } from './config.js'
import { connectionCommands } from './connection.js'
import { importCommands } from './import.js'
import { moveCommands } from './move.js'
import { safeCommands } from './safe.js'

const commands: Command[] = [
  ...accountCommands,
  ...safeCommands,
  ...importCommands,
  ...askCommands,
  ...connectionCommands,
  ...configCommands,
  ...moveCommands,
]

export type Edge = Omit<Context, 'open'>

/** Runs what was typed after `svc`. Returns the exit code: 0 done, 1 refused, 2 not typed as the usage says. */
export async function run(argv: readonly string[], edge: Edge): Promise<0 | 1 | 2> {
  let app: FastifyInstance | undefined
  const open = async () => {
    app ??= await buildDomains({ config: loadConfig(edge.env) }, 'cli')
    await app.ready()
    return app
  }
  const context: Context = { ...edge, open }
  const command = find(argv)
  if (!command) return help(context, argv)
  try {
    await command.run(context, parse(command, argv))
    return 0
  } catch (error) {
    return report(context, command, error)
  } finally {
    await app?.close()
  }
}

/** The command whose name the arguments begin with. */
function find(argv: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, i) => argv[i] === word))
}

function parse({ name, usage, options = {} }: Command, argv: readonly string[]): Arguments {
  const { positionals, values } = parseStrictly(argv.slice(name.split(' ').length), options)
  const words = wordsOf(usage)
  const all = [...words, ...(/\[([A-Z]+)\]/.exec(usage)?.slice(1) ?? [])]
  if (positionals.length < words.length || positionals.length > all.length) {
    throw new UsageError(words.length > 0 ? `It needs ${words.join(' and ')}.` : 'It takes no arguments.')
  }
  if ([...positionals, ...Object.values(values)].some(value => String(value).includes('\0'))) {
    throw new UsageError('Arguments cannot hold NUL characters.')
  }
  const filled = Object.fromEntries(all.map((word, i) => [word, positionals[i]]))
  return { ...(filled as Omit<Arguments, 'options'>), options: values as Arguments['options'] }
}

/** The upper-case words of a usage that stand for themselves, not for an option's value. */
function wordsOf(usage: string): string[] {
  const own = usage.replace(/\[[^[\]]*\]|--[a-z]+(?:-[a-z]+)* \S+/g, '').split(/\s+/)
  return own.flatMap(word => /^[A-Z]+/.exec(word)?.[0] ?? [])
}

function parseStrictly(args: string[], options: NonNullable<Command['options']>) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function report(context: Context, command: Command, error: unknown): 1 | 2 {
  if (error instanceof UsageError) {
    tell(context, error.message)
    tell(context, `Usage: svc ${command.name} ${command.usage}`.trimEnd())
    return 2
  }
  tell(context, sentence(error))
  return 1
}

/** What went wrong, for the person who typed the command: a sentence, not a stack. */
function sentence(error: unknown): string {
  if (error instanceof Unavailable)
    return 'The database is busy, or one of the stores is away. Please try again.'
  if (error instanceof DomainError || error instanceof Refusal || error instanceof ConfigError)
    return error.message
  return error instanceof Error ? error.message : String(error)
}

function help(context: Context, argv: readonly string[]): 0 | 2 {
  const asked = argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '')
  const known = commands.filter(({ name }) => name.split(' ')[0] === argv[0])
  if (!asked && known.length === 0) tell(context, `There is no command “${argv[0]}”.`)
  const lines = (known.length > 0 ? known : commands).map(
    ({ name, usage, summary }) => `  svc ${`${name} ${usage}`.trimEnd()}\n      ${summary}`,
  )
  const text = `Usage:\n${lines.join('\n')}`
  if (asked) print(context, text)
  else tell(context, text)
  return asked ? 0 : 2
}
