import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

type Env = Record<string, string | undefined>

/** Stores a secret for each account, in the system's own store. */
export interface KeyChain {
  /** Null: there is none, or the store cannot be reached. */
  get(account: string): Promise<string | null>
  /** Returns whether it is stored. */
  set(account: string, secret: string): Promise<boolean>
  remove(account: string): Promise<void>
}

const SERVICE = 'svc'
/** The system may ask the person to unlock the store. */
const UNLOCK_MS = 60_000

/** The system's key chain, through its own program. Null: there is none. */
export function systemKeyChain(env: Env, platform: NodeJS.Platform = process.platform): KeyChain | null {
  if (platform === 'darwin') return macKeyChain(env)
  if (platform !== 'linux' || !hasSecretService(env)) return null
  return secretService(env)
}

/** The secret is passed on standard input, because arguments can be read by other users. */
function macKeyChain(env: Env): KeyChain {
  const security = (args: string[], input = '') => run('/usr/bin/security', args, env, input)
  return {
    get: async account => {
      const found = await security(['find-generic-password', '-s', SERVICE, '-a', account, '-w'])
      return found === null ? null : decoded(found)
    },
    set: async (account, secret) => {
      const command = `add-generic-password -U -s '${SERVICE}' -a '${account}' -w '${encoded(secret)}'\n`
      return (await security(['-i'], command)) !== null
    },
    remove: async account => {
      await security(['delete-generic-password', '-s', SERVICE, '-a', account])
    },
  }
}

/** GNOME Keyring, KWallet or KeePassXC, through `secret-tool` of libsecret. */
function secretService(env: Env): KeyChain {
  const of = (account: string) => ['service', SERVICE, 'account', account]
  const tool = (args: string[], input = '') => run('secret-tool', args, env, input)
  return {
    get: async account => {
      const found = await tool(['lookup', ...of(account)])
      return found ? decoded(found) : null
    },
    set: async (account, secret) => {
      const label = `svc: ${account}`
      return (await tool(['store', `--label=${label}`, ...of(account)], encoded(secret))) !== null
    },
    remove: async account => {
      await tool(['clear', ...of(account)])
    },
  }
}

/** Without a session bus there is no key chain, for example under cron or over SSH. */
const hasSecretService = ({ DBUS_SESSION_BUS_ADDRESS, PATH = '' }: Env) =>
  DBUS_SESSION_BUS_ADDRESS !== undefined &&
  PATH.split(delimiter).some(folder => existsSync(join(folder, 'secret-tool')))

/** Without quotes, spaces and line breaks, which the programs would interpret in their own ways. */
const encoded = (secret: string) => Buffer.from(secret).toString('base64url')
const decoded = (text: string) => Buffer.from(text.trim(), 'base64url').toString()

/** The output of a program, or null if it failed. */
function run(program: string, args: string[], env: Env, input: string): Promise<string | null> {
  return new Promise(resolve => {
    const child = execFile(program, args, { env, timeout: UNLOCK_MS }, (error, output) =>
      resolve(error ? null : output),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
