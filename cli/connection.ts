import type { FastifyInstance } from 'fastify'
import type { ListedConnection } from '../plugins/oauth/access.js'
import { type Command, print, printList, Refusal, tell, UsageError } from './command.js'
import { findAccount, findSafe } from './find.js'

export const connectionCommands: Command[] = [
  {
    name: 'connection list',
    usage: '[--account EMAIL] [--json]',
    summary: 'Lists the connections that work: id, account, assistant, Safe.',
    options: { account: { type: 'string' }, json: { type: 'boolean' } },
    async run(context, args) {
      const app = await context.open()
      const { account } = args.options
      const accounts =
        typeof account === 'string' ? [await findAccount(app, account)] : await app.accounts.list()
      const rows = (await connectionsOf(app, accounts)).filter(({ ended }) => !ended)
      printList(context, args, rows, ['id', 'account', 'clientName', 'chosenSafeId'])
    },
  },
  {
    name: 'connection revoke',
    usage: 'ID',
    summary: 'Ends a connection: nothing of it works any more.',
    async run(context, args) {
      const app = await context.open()
      const all = await connectionsOf(app, await app.accounts.list())
      const connection = all.find(({ id }) => id === args.ID)
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

async function connectionsOf(
  app: FastifyInstance,
  accounts: { id: string; email: string }[],
): Promise<(ListedConnection & { account: string })[]> {
  const all: (ListedConnection & { account: string })[] = []
  for (const { id, email } of accounts) {
    for (const connection of await app.oauth.connections.listFor(id))
      all.push({ ...connection, account: email })
  }
  return all
}

/** A token opens only what its account may read. */
async function readableSafe(app: FastifyInstance, accountId: string, idOrName: string) {
  const { safe } = await findSafe(app, idOrName)
  if (!(await app.safes.membership(accountId, safe.id))) {
    throw new Refusal(`That account cannot read “${safe.name}”. Share it first: svc safe share`)
  }
  return safe
}
