import { type Command, Option } from 'commander'
import { type CommandContext, CommandError, printMessage } from './command.js'
import { serverAddress } from './remote/address.js'
import { Api } from './remote/api.js'
import { remoteTarget } from './remote/remote-target.js'
import { Servers } from './remote/servers.js'
import { SignIn } from './remote/sign-in.js'
import type { SafesLocation } from './target.js'

/** Options that set where a command works. */
export interface PlaceOptions {
  server?: string
  local?: true
}

/** The options of commands that also work on servers. */
export const PLACE = {
  server: ['--server <address>', 'On this server. Default: the one of the last svc login.'],
  local: ['--local', 'In the installation on this machine, although you are signed in to a server.'],
} as const

/** Commands that are about this machine, or about sign-ins themselves. */
const WITHOUT_PLACE = [
  'help',
  'config',
  'doctor',
  'migrate',
  'move',
  'login',
  'logout',
  'servers',
  'start',
  'status',
  'completion',
]

/** Accepts the options for other commands, to report in a sentence that they only work next to the service. */
export function acceptPlace(command: Command): void {
  const isTaken = command.options.some(({ long }) => long === '--local')
  if (isTaken || command.commands.length > 0 || WITHOUT_PLACE.includes(command.name())) return
  for (const option of [PLACE.server, PLACE.local])
    command.addOption(new Option(option[0], option[1]).hideHelp())
}

/** The location of this process's command: this machine, or a server that the person has signed in to. */
export class ChosenPlace {
  readonly #context: Pick<CommandContext, 'env' | 'stderr'>
  #place: PlaceOptions = {}
  #command = ''

  constructor(context: Pick<CommandContext, 'env' | 'stderr'>) {
    this.#context = context
  }

  of(command: Command): void {
    this.#place = command.opts<PlaceOptions>()
    this.#command = [command.parent?.parent ? command.parent.name() : '', command.name()].join(' ').trim()
    if (this.#place.local && this.#place.server !== undefined)
      command.error('error: --local and --server exclude each other.')
  }

  /** The words of the command, such as `account add`. */
  get command(): string {
    return this.#command
  }

  /** Null: on this machine. */
  async remoteTarget(): Promise<SafesLocation | null> {
    const server = await this.#server()
    if (server === null) return null
    const print = (line: string) => printMessage(this.#context, line)
    const servers = new Servers(this.#context.env)
    const api = new Api(server, new SignIn(servers, server), print)
    return remoteTarget(api, () => servers.machine(), print)
  }

  /** @throws CommandError if the person means a server */
  async requireThisMachine(): Promise<void> {
    const server = await this.#server()
    if (server !== null)
      throw new CommandError(
        `svc ${this.#command} works only on the machine of the service, not on ${server}. For the installation on this machine, add --local.`,
      )
  }

  async #server(): Promise<string | null> {
    const { local, server } = this.#place
    if (local) return null
    return server === undefined
      ? (await new Servers(this.#context.env).read()).default
      : serverAddress(server)
  }
}
