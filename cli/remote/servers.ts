import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../platform/common/secrets.js'
import { CommandError } from '../command.js'
import { type KeyChain, systemKeyChain } from './key-chain.js'
import type { Tokens } from './oauth.js'

/** A server that a person has signed in to. */
export interface KnownServer {
  clientId: string
  scope: string
  /** Null: they are in the key chain. */
  tokens: Tokens | null
}

/** The file `servers.json`. */
interface ServersFile {
  /** The server for commands that name none. */
  default: string | null
  servers: Record<string, KnownServer>
  /** The name of this machine among folders of several machines. */
  machine?: string
}

const ABSENT = ['ENOENT', 'ENOTDIR', 'EACCES']
const NONE: ServersFile = { default: null, servers: {} }
/** After a process dies with the lock, the lock expires after this time. */
const STALE_MS = 10_000
/** Maximum wait for other processes, which may wait for slow servers. */
const LOCK_TRIES = { retries: 600, factor: 1, minTimeout: 100, maxTimeout: 200, randomize: true }

/** The servers that this person has signed in to, shared by all processes of the person. */
export class Servers {
  readonly #folder: string
  readonly #file: string
  readonly #keyChain: KeyChain | null

  constructor(env: Record<string, string | undefined>, keyChain = systemKeyChain(env)) {
    this.#folder = join(configFolder(env), 'svc')
    this.#file = join(this.#folder, 'servers.json')
    this.#keyChain = keyChain
  }

  /** The location of sign-ins that are not in the key chain. */
  get file(): string {
    return this.#file
  }

  /** @throws CommandError if the file cannot be read */
  async read(): Promise<ServersFile> {
    try {
      return { ...NONE, ...JSON.parse(await readFile(this.#file, 'utf8')) }
    } catch (error) {
      // Commands beside a service may run as an account without a home.
      if (ABSENT.includes((error as NodeJS.ErrnoException).code ?? '')) return NONE
      throw new CommandError(
        `${this.#file} cannot be read: ${(error as Error).message}. Sign in again after removing it.`,
      )
    }
  }

  /** @throws CommandError if the key chain does not return them */
  async tokensOf(server: string, { tokens }: KnownServer): Promise<Tokens> {
    if (tokens) return tokens
    const found = (await this.#keyChain?.get(server)) ?? null
    if (found !== null) return JSON.parse(found)
    throw new CommandError(
      `The sign-in at ${server} is in the key chain, which cannot be reached from here. Unlock it, or, for cron and other programs without a desktop, sign in again: svc login ${server} --file`,
    )
  }

  /** Stores a new sign-in, by default in the key chain if there is one, and makes its server the default. */
  async add(server: string, clientId: string, tokens: Tokens, { inFile = false } = {}): Promise<KnownServer> {
    const isInKeyChain = !inFile && (await this.#keep(server, tokens))
    if (inFile) await this.#keyChain?.remove(server)
    const known = { clientId, scope: tokens.scope, tokens: isInKeyChain ? null : tokens }
    await this.#change(({ servers }) => ({ default: server, servers: { ...servers, [server]: known } }))
    return known
  }

  /**
   * Renews the tokens of a sign-in, unless another process has done so since `used` was read. A refresh token can be
   * used once, and a second use ends the sign-in (ADR 2), so it is read, used and replaced under the lock.
   */
  async renew(
    server: string,
    used: Tokens,
    refresh: (clientId: string, tokens: Tokens) => Promise<Tokens>,
  ): Promise<Tokens> {
    return this.#locked(async () => {
      const known = await this.find(server)
      const tokens = await this.tokensOf(server, known)
      if (tokens.accessToken !== used.accessToken) return tokens
      const renewed = await refresh(known.clientId, tokens)
      await this.#replace(server, known, renewed)
      return renewed
    })
  }

  /** The name of this machine when it was first needed: those of containers and laptops change. */
  async machine(): Promise<string> {
    const { machine } = await this.read()
    if (machine) return machine
    const named = hostname()
    await this.#change(() => ({ machine: named }))
    return named
  }

  /** Forgets a sign-in; then another one may become the default. */
  async remove(server: string): Promise<void> {
    await this.#change(({ default: named, servers: { [server]: _, ...servers } }) => {
      const [other = null] = Object.keys(servers)
      return { default: named === server ? other : named, servers }
    })
    await this.#keyChain?.remove(server)
  }

  /** @throws CommandError if nobody has signed in there */
  async find(server: string): Promise<KnownServer> {
    const known = (await this.read()).servers[server]
    if (!known) throw new CommandError(`You are not signed in at ${server}. Sign in: svc login ${server}`)
    return known
  }

  /** Stores tokens in the key chain. Returns whether they were stored. */
  async #keep(server: string, tokens: Tokens): Promise<boolean> {
    return (await this.#keyChain?.set(server, JSON.stringify(tokens))) ?? false
  }

  async #replace(server: string, known: KnownServer, tokens: Tokens): Promise<void> {
    // The old ones are consumed: if the key chain does not accept the new ones, they must not be lost.
    const isInKeyChain = known.tokens === null && (await this.#keep(server, tokens))
    const { servers, ...file } = await this.read()
    const renewed = { ...known, scope: tokens.scope, tokens: isInKeyChain ? null : tokens }
    await this.#write({ ...file, servers: { ...servers, [server]: renewed } })
  }

  #change(change: (file: ServersFile) => Partial<ServersFile>): Promise<void> {
    return this.#locked(async () => {
      const file = await this.read()
      await this.#write({ ...file, ...change(file) })
    })
  }

  /** Runs `work` exclusively among the processes of this person. */
  async #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#makeFolder()
    const { lock } = (await import('proper-lockfile')).default
    const release = await lock(this.#file, { realpath: false, stale: STALE_MS, retries: LOCK_TRIES }).catch(
      error => {
        throw new CommandError(`${this.#file} is locked by another svc: ${error.message}. Try again.`)
      },
    )
    try {
      return await work()
    } finally {
      await release().catch(() => {})
    }
  }

  async #makeFolder(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
      throw new CommandError(`${this.#folder} cannot be created: ${error.message}.`)
    })
  }

  /** Replaces the file as a whole, readable for this person only. */
  async #write(file: ServersFile): Promise<void> {
    await this.#makeFolder()
    const draft = `${this.#file}.${newId()}`
    try {
      const handle = await open(draft, 'wx', 0o600)
      try {
        await handle.writeFile(`${JSON.stringify(file, null, 2)}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await chmod(draft, 0o600)
      await rename(draft, this.#file)
    } catch (error) {
      await rm(draft, { force: true })
      throw new CommandError(`${this.#file} cannot be written: ${(error as Error).message}.`)
    }
  }
}

/** The location of the XDG Base Directory Specification; on Windows its own. */
function configFolder({ XDG_CONFIG_HOME, APPDATA, HOME }: Record<string, string | undefined>): string {
  if (XDG_CONFIG_HOME) return XDG_CONFIG_HOME
  if (process.platform === 'win32' && APPDATA) return APPDATA
  return join(HOME ?? homeOfAccount(), '.config')
}

/** In a container, the account may have no home; there are no sign-ins then. */
function homeOfAccount(): string {
  try {
    return homedir()
  } catch {
    return '/nonexistent'
  }
}
