import { resolve } from 'node:path'
import { Command, CommanderError, Help } from 'commander'
import type { FastifyInstance } from 'fastify'
import { type AppOptions, buildDomains } from '../domains.js'
import { DomainError } from '../platform/common/domain-error.js'
import { version } from '../platform/common/package.js'
import { Unavailable } from '../platform/common/unavailable.js'
import { isInstalled } from '../platform/storage/installed.js'
import { withRunningServer } from '../plugins/config/running-server.js'
import { ConfigError } from '../plugins/config/settings.js'
import { type Config, loadConfig } from '../plugins/config.js'
import { accountCommands } from './account.js'
import { askCommands } from './ask.js'
import { backupCommands } from './backup.js'
import { clientCommands } from './client.js'
import { type CommandContext, CommandError, printMessage, UsageError } from './command.js'
import { completionCommand } from './completion.js'
import { configCommands } from './config.js'
import { connectionCommands } from './connection.js'
import { doctorCommand } from './doctor.js'
import { addExamples } from './examples.js'
import { requireInstallation } from './installation.js'
import { localTarget } from './local-target.js'
import { loginCommands } from './login.js'
import { moveCommands } from './move.js'
import { acceptPlace, ChosenPlace } from './place.js'
import { safeCommands } from './safe.js'
import { startCommand } from './start.js'
import { statusCommand } from './status.js'
import { safeFor } from './terminal.js'

type Edge = Omit<CommandContext, 'open' | 'target'>

/**
 * Runs a command line. Returns the exit code: 0 success, 1 failure, 2 usage error.
 * @param options options of the domains that it opens
 */
export async function run(
  argv: readonly string[],
  edge: Edge,
  options: Pick<AppOptions, 'passwordCost' | 'readers'> = {},
): Promise<0 | 1 | 2> {
  let app: FastifyInstance | undefined
  const chosen = new ChosenPlace(edge)
  const open = async () => {
    await chosen.requireThisMachine()
    const config = knownConfig(edge, chosen.command === 'account add')
    app ??= await buildDomains({ config, ...options }, 'cli')
    await app.ready()
    return app
  }
  const target = async () => (await chosen.remoteTarget()) ?? localTarget(await open())
  const context: CommandContext = { ...edge, stdout: safeFor(edge.stdout), open, target }
  const program = programIn(context)
  program.hook('preAction', (_, command) => chosen.of(command))
  try {
    if (argv.some(argument => argument.includes('\0')))
      program.error('error: Arguments cannot contain NUL characters.')
    // `svc help safe import`, which Commander does not know.
    const isInner = argv[0] === 'help' && argv.length > 2
    const words = isInner ? [...argv.slice(1), '--help'] : argv
    await program.parseAsync(words.length === 0 ? ['help'] : words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    printMessage(context, sentence(error))
    return error instanceof UsageError ? 2 : 1
  } finally {
    await app?.close()
  }
}

/**
 * The settings of this machine.
 * @param creates whether the command may create an installation: then it prints the location
 */
function knownConfig(edge: Edge, creates: boolean): Config {
  const config = loadConfig(withRunningServer(edge.env))
  if (!creates) requireInstallation(config)
  else if (!isInstalled(config))
    printMessage(edge, `New data folder ${resolve(config.dataDir)}. To use another one, set DATA_DIR.`)
  return config
}

function programIn(context: CommandContext): Command {
  const { stdout, stderr } = context
  const program = new Command('svc')
    .description('Manage the Safes, accounts and connections of this service.')
    .version(version, '-V, --version', 'Show the version.')
    .helpOption('-h, --help', 'Show help.')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: text => stdout.write(text), writeErr: text => stderr.write(text) })
    .configureHelp({ subcommandDescription: describe, helpWidth: 80, minWidthToWrap: 20 })
    .addHelpText('after', HELP)
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading)
    for (const add of commands) add(program, context)
  }
  program.helpCommand('help [command]', 'Show help for a command.')
  const inner = program.commands.flatMap(command => [command, ...command.commands])
  for (const command of inner) acceptPlace(command)
  addExamples(program)
  for (const command of [program, ...inner])
    command.showHelpAfterError(`Usage: ${help.commandUsage(command)}`)
  return program
}

/** All commands, for generating their documentation. They cannot be run. */
export const programForDocs = () =>
  programIn({ stdout: process.stdout, stderr: process.stderr } as Partial<CommandContext> as CommandContext)

const HELP = `
Examples:
  svc start                               the server, on http://localhost:3000
  svc safe import 'Work notes' ~/notes    a folder of notes into a Safe
  svc ask 'Work notes' 'Who leads it?'    the answer that an assistant gets
  svc help safe import                    the options of a command`

/** The commands as help lists them. */
const GROUPS = [
  ['Run the service:', [startCommand, statusCommand, doctorCommand, configCommands]],
  ['Fill and ask Safes:', [safeCommands, askCommands]],
  ['People and their assistants:', [accountCommands, connectionCommands, clientCommands]],
  ['Keep and move data:', [backupCommands, moveCommands]],
  ['Use a server on another machine:', [loginCommands]],
  ['Help:', [completionCommand]],
] as const

const help = new Help()

/** A command's description, followed by the names of its subcommands. */
function describe(command: Command): string {
  const names = command.commands.map(inner => inner.name())
  return `${help.subcommandDescription(command)}${names.length > 0 ? ` Commands: ${names.join(', ')}.` : ''}`
}

/** The error as a sentence for the person at the terminal, without a stack. */
function sentence(error: unknown): string {
  if (error instanceof Unavailable)
    return 'The database is busy, or a store is unavailable. Please try again.'
  if (error instanceof DomainError || error instanceof CommandError || error instanceof ConfigError)
    return error.message
  return error instanceof Error ? error.message : String(error)
}
