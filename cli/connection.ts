import type { FastifyInstance } from 'fastify'
import type { Account } from '../plugins/accounts/account.js'
import type { ListedConnection } from '../plugins/oauth/access.js'
import { type Command, print, printList, Refusal, tell, UsageError } from './command.js'
import { allAccounts, allOf, findAccount, findSafe, from } from './find.js'

export const connectionCommands: Command[] = [
  {
    name: 'connection list',
    usage: '[--account EMAIL] [--json]',
    summary: 'Lists the connections that work: id, account, assistant, Safe.',
    options: { account: { type: 'string' }, json: { type: 'boolean' } },
    async run(context, args) {
      const app = await context.open()
      const { account } = args.options
      const accounts = typeof account === 'string' ? [await findAccount(app, account)] : allAccounts(app)
      await printList(context, args, connectionsOf(app, accounts), [
        'id',
        'account',
        'clientName',
        'chosenSafeId',
      ])
    },
  },
  {
    name: 'connection revoke',
    usage: 'ID',
    summary: 'Ends a connection: nothing of it works any more.',
    async run(context, args) {
      const app = await context.open()
      const connection = await app.oauth.connections.find(args.ID)
      if (!connection) throw new Refusal(`There is no connection ${args.ID}.`)
      await app.oauth.connections.revoke(connection.accountId, connection.id)
      tell(context, `The connection of ${connection.clientName} is ended.`)
    },
  },
  {
    name: 'connection token',
    usage: 'EMAIL [--safe SAFE] [--days N]',
    summary:
      'Prints a bearer token for a client that cannot sign in; it lives for an hour, or for 1 to 90 days.',
    options: { safe: { type: 'string' }, days: { type: 'string' } },
    async run(context, args) {
      const { safe: safeWanted, days } = args.options
      if (typeof days === 'string' && !/^\d+$/.test(days))
        throw new UsageError('--days is a number from 1 to 90.')
      const app = await context.open()
      const account = await findAccount(app, args.EMAIL)
      const safe = typeof safeWanted === 'string' ? await readableSafe(app, account.id, safeWanted) : null
      const issued = await app.oauth.issueTokens(account.id, {
        clientName: 'Command line',
        ...(safe ? { safeId: safe.id } : {}),
        ...(typeof days === 'string' ? { days: Number(days) } : {}),
      })
      print(context, issued.accessToken)
      tell(context, `For ${app.config.baseUrl}/mcp/v1${safe ? `/${safe.id}` : ''}`)
      tell(context, `Until ${new Date(issued.expiresAt).toISOString()}; connection ${issued.connectionId}`)
    },
  },
]

/** Connections that work. */
async function* connectionsOf(
  app: FastifyInstance,
  accounts: Iterable<Account> | AsyncIterable<Account>,
): AsyncGenerator<ListedConnection & { account: string }> {
  for await (const { id, email: account } of accounts) {
    const page = (after: string | undefined) =>
      app.oauth.connections.listFor(id, { kind: 'open', ...from(after) })
    for await (const connection of allOf(page, ({ id }) => id)) {
      if (!connection.ended) yield { ...connection, account }
    }
  }
}

/** A token opens only what its account may read. */
async function readableSafe(app: FastifyInstance, accountId: string, idOrName: string) {
  const { safe } = await findSafe(app, idOrName)
  if (!(await app.safes.membership(accountId, safe.id))) {
    throw new Refusal(`That account cannot read “${safe.name}”. Share it first: svc safe share`)
  }
  return safe
}
