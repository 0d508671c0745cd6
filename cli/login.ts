import { hostname } from 'node:os'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { WRITE } from '../domain/oauth/scope.js'
import { consentTexts } from '../views/texts/consent.js'
import { type CommandContext, CommandError, type Printed, printList, printMessage } from './command.js'
import { serverAddress } from './remote/address.js'
import { openBrowser } from './remote/browser.js'
import { Callback } from './remote/callback.js'
import { OAuthClient, SignedOut, type Tokens } from './remote/oauth.js'
import { type KnownServer, Servers } from './remote/servers.js'
import { SignIn } from './remote/sign-in.js'

/** Options of `svc login`. */
interface LoginOptions {
  browser: boolean
  file?: true
  again?: true
}

interface Approved {
  clientId: string
  tokens: Tokens
}

/** How long a person may take to sign in and approve. */
const APPROVAL_MS = 15 * 60_000

/** Adds `login`, `logout` and `servers`. */
export function loginCommands(program: Command, context: CommandContext): void {
  program
    .command('login')
    .description('Signs in to a server on another machine, which the other commands then use.')
    .argument('<server>', 'Its address, such as https://safes.example.com.')
    .option('--no-browser', 'Only print the address to open. The browser may be on another machine.')
    .option('--file', 'Store the sign-in in a file instead of the key chain, for cron.')
    .option('--again', 'Ask for approval again, to choose other Safes or to allow more.')
    .action(async (address: string, options: LoginOptions) => {
      const servers = new Servers(context.env)
      await login(context, servers, serverAddress(address), options)
    })
  program
    .command('logout')
    .description('Ends the sign-in at a server, there and here.')
    .argument('[server]', 'Its address. Default: the server that commands use.')
    .action(async (address: string | undefined) => {
      const servers = new Servers(context.env)
      const server = address === undefined ? (await servers.read()).default : serverAddress(address)
      if (server === null) throw new CommandError('You are not signed in anywhere.')
      await logout(context, servers, server)
    })
  program
    .command('servers')
    .description(
      'Lists the servers that you are signed in to: address, permissions, whether commands use it.',
    )
    .option('--json', 'Print JSON.')
    .action(async (options: Printed) => {
      const { servers, default: used } = await new Servers(context.env).read()
      const rows = Object.entries(servers).map(([server, { scope, tokens }]) => ({
        server,
        scope,
        used: server === used ? 'default' : '',
        keptIn: tokens === null ? 'key chain' : 'file',
      }))
      await printList(context, options, rows, ['server', 'scope', 'used'])
    })
}

async function login(
  context: CommandContext,
  servers: Servers,
  server: string,
  options: LoginOptions,
): Promise<void> {
  const client = await OAuthClient.discover(server)
  const before = options.again ? null : await earlier(servers, server)
  const { clientId, tokens } = before ?? (await approved(context, client, options))
  // A connection that cannot be ended now expires after 90 days.
  if (options.again) await endEarlier(servers, server).catch(() => {})
  const { tokens: inFile } = await servers.add(server, clientId, tokens, { inFile: options.file ?? false })
  printMessage(
    context,
    `You are signed in at ${server}. Commands use it from now on; --local chooses this machine.`,
  )
  const place = inFile === null ? 'the key chain of this system' : `${servers.file}, which only you can read`
  printMessage(context, `The sign-in is stored in ${place}.`)
  if (before)
    printMessage(
      context,
      `It is the one from before. To choose other Safes or to allow more: svc login ${server} --again`,
    )
  if (!tokens.scope.split(' ').includes(WRITE))
    printMessage(context, 'You can list, ask and export. You did not allow svc to add and replace files.')
}

/** The earlier sign-in, if the server still accepts it. */
async function earlier(servers: Servers, server: string): Promise<Approved | null> {
  const known = (await servers.read()).servers[server]
  if (!known) return null
  try {
    const signIn = new SignIn(servers, server)
    await signIn.renew(await signIn.accessToken())
    const { clientId } = known
    return { clientId, tokens: await servers.tokensOf(server, await servers.find(server)) }
  } catch (error) {
    if (error instanceof CommandError) return null
    throw error
  }
}

/** Ends the sign-in replaced by a new one. */
async function endEarlier(servers: Servers, server: string): Promise<void> {
  const known = (await servers.read()).servers[server]
  if (known) await endAt(servers, server, known)
}

/** Opens the browser for the person's approval (RFC 8252 §4.1). */
async function approved(
  context: CommandContext,
  client: OAuthClient,
  { browser }: LoginOptions,
): Promise<Approved> {
  const state = client.newState()
  const callback = await Callback.open(state)
  const redirectUri = callback.uri
  const done = new AbortController()
  try {
    const clientId = await client.register(`svc on ${hostname()}`, redirectUri)
    const { url, verifier } = await client.authorization(clientId, redirectUri, state)
    const lines = [
      `Approve svc in your browser. To import and sync, tick “${consentTexts.fill}” there.`,
      ...['', `  ${url}`, ''],
    ]
    for (const line of lines) printMessage(context, line)
    if (browser) openBrowser(url.href, context.env)
    else printMessage(context, 'If it cannot open the last page, paste the address of that page here.')
    const answer = await Promise.race([
      callback.received(),
      deadline(APPROVAL_MS),
      ...(browser ? [] : [pasted(context, redirectUri, done.signal)]),
    ])
    const tokens = await client.exchange(clientId, answer, { redirectUri, state, verifier }, Date.now)
    return { clientId, tokens }
  } finally {
    done.abort()
    callback.close()
  }
}

/** The address of the page that a browser on another machine could not open. Never resolves without one. */
function pasted({ stdin }: CommandContext, redirectUri: string, signal: AbortSignal): Promise<URL> {
  // Also ends reading, so that the process can end.
  const lines = createInterface({ input: stdin, signal })
  return new Promise(resolve => {
    lines.on('line', line => {
      const text = line.trim()
      if (text.startsWith(`${redirectUri}?`) && URL.canParse(text)) resolve(new URL(text))
    })
  })
}

function deadline(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new CommandError('Nobody approved within 15 minutes.')), ms)
    timer.unref()
  })
}

async function logout(context: CommandContext, servers: Servers, server: string): Promise<void> {
  const known = await servers.find(server)
  const problem = await endAt(servers, server, known).catch((error: Error) => error)
  await servers.remove(server)
  if (problem === null || problem instanceof SignedOut)
    return printMessage(context, `You are signed out at ${server}.`)
  throw new CommandError(
    `${problem.message} The sign-in was removed from this machine only: end the connection on ${server}/connections.`,
  )
}

async function endAt(servers: Servers, server: string, known: KnownServer): Promise<null> {
  const tokens = await servers.tokensOf(server, known)
  const client = await OAuthClient.discover(server)
  await client.revoke(known.clientId, tokens)
  return null
}
