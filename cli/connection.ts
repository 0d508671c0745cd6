import { type Command, InvalidArgumentError } from 'commander'
import type { FastifyInstance } from 'fastify'
import type { Account } from '../domain/accounts/account.js'
import type { ListedConnection } from '../domain/oauth/connections/access.js'
import type { IssueOptions } from '../domain/oauth/connections/issue-tokens.js'
import { API_PATH } from '../domain/oauth/resource.js'
import { READ, WRITE } from '../domain/oauth/scope.js'
import { type CommandContext, CommandError, type Printed, print, printList, printMessage } from './command.js'
import { type Confirmed, confirm, YES } from './confirm.js'
import { allAccounts, allOf, findAccount, findSafe, from } from './find.js'

/** Adds `svc connection …`. */
export function connectionCommands(program: Command, context: CommandContext): void {
  const connection = program
    .command('connection')
    .description('Manage connections of assistants and scripts.')
  connection
    .command('list')
    .description('Lists open connections: id, account, assistant, Safe.')
    .option('--account <email>', 'Only those of this account.')
    .option('--json', 'Print JSON.')
    .action(async ({ account, ...options }: Printed & { account?: string }) => {
      const app = await context.open()
      const accounts = account === undefined ? allAccounts(app) : [await findAccount(app, account)]
      await printList(context, options, connectionsOf(app, accounts), [
        'id',
        'account',
        'clientName',
        'chosenSafeId',
      ])
    })
  connection
    .command('revoke')
    .description('Ends a connection. Its tokens stop working immediately.')
    .argument('<id>')
    .option(...YES)
    .action(async (id: string, options: Confirmed) => {
      const app = await context.open()
      const connection = await app.oauth.connections.find(id)
      if (!connection) throw new CommandError(`There is no connection ${id}.`)
      await confirm(context, options, `End the connection of ${connection.clientName}?`)
      await app.oauth.connections.revoke(connection.accountId, connection.id)
      printMessage(context, `The connection of ${connection.clientName} has ended.`)
    })
  connection
    .command('token')
    .description('Prints a bearer token for a client that cannot sign in.')
    .argument('<email>')
    .option('--safe <safe>', 'Only this Safe, by its id or name.')
    .option('--days <number>', 'Valid for 1 to 90 days instead of an hour.', days)
    .option('--for <days>', 'The same, such as 90d.', text => days(text.replace(/d$/, '')))
    .option('--name <name>', 'Its name among the connections and programs. Default: Command line.')
    .option('--api', 'For the HTTP API instead of MCP.')
    .option('--write', 'With --api: may also fill Safes.')
    .option('--propose', 'May propose changes, which an owner reviews.')
    .option('--search', 'Adds the tools search and fetch, which ChatGPT requires.')
    .action((email: string, options: TokenOptions, command: Command) =>
      printToken(context, email, options, command),
    )
}

/** Options of `svc connection token`. */
interface TokenOptions {
  safe?: string
  days?: number
  for?: number
  name?: string
  api?: true
  write?: true
  propose?: true
  search?: true
}

async function printToken(
  context: CommandContext,
  email: string,
  options: TokenOptions,
  command: Command,
): Promise<void> {
  if (options.write && !options.api) command.error('error: --write needs --api.')
  if (options.api && (options.propose || options.search))
    command.error('error: --propose and --search are for MCP; leave out --api.')
  const app = await context.open()
  const account = await findAccount(app, email)
  const safe = options.safe === undefined ? null : await readableSafe(app, account.id, options.safe)
  const lifetime = options.for ?? options.days
  const issued = await app.oauth.issueTokens(account.id, {
    clientName: options.name ?? 'Command line',
    ...(options.api ? {} : safe ? { safeId: safe.id } : {}),
    grant: options.api ? apiGrant(safe, options) : powersIn(options),
    ...(lifetime === undefined ? {} : { days: lifetime }),
  })
  print(context, issued.accessToken)
  const path = options.api ? API_PATH : `/mcp/v1${safe ? `/${safe.id}` : ''}`
  printMessage(context, `For ${app.config.baseUrl}${path}`)
  printMessage(
    context,
    `Until ${new Date(issued.expiresAt).toISOString()}; connection ${issued.connectionId}`,
  )
}

const powersIn = ({ propose, search }: TokenOptions): NonNullable<IssueOptions['grant']> => ({
  ...(propose && { mayPropose: true }),
  ...(search && { hasSearch: true }),
})

const apiGrant = (
  safe: { id: string } | null,
  { write }: TokenOptions,
): NonNullable<IssueOptions['grant']> => ({
  resource: 'api',
  scope: write ? [READ, WRITE] : [READ],
  ...(safe ? { chosenSafeIds: [safe.id], onlyChosenSafe: true } : {}),
})

function days(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a number from 1 to 90.')
  return Number(text)
}

/** Connections that have not ended. */
async function* connectionsOf(
  app: FastifyInstance,
  accounts: Iterable<Account> | AsyncIterable<Account>,
): AsyncGenerator<ListedConnection & { account: string; chosenSafeId: string | null }> {
  for await (const { id, email: account } of accounts) {
    const page = (after: string | undefined) =>
      app.oauth.connections.listFor(id, { kind: 'open', ...from(after) })
    for await (const connection of allOf(page, ({ id }) => id)) {
      if (connection.ended) continue
      yield { ...connection, account, chosenSafeId: connection.chosenSafeIds[0] ?? null }
    }
  }
}

/** A token opens only Safes that its account may read. */
async function readableSafe(app: FastifyInstance, accountId: string, idOrName: string) {
  const { safe } = await findSafe(app, idOrName)
  if (!(await app.safes.membership(accountId, safe.id))) {
    throw new CommandError(`That account cannot read “${safe.name}”. Share it first: svc safe share`)
  }
  return safe
}
