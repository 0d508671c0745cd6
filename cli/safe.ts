import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { type Command, print, printList, Refusal, tell, UsageError } from './command.js'
import { allOf, findAccount, findSafe, from } from './find.js'

export const safeCommands: Command[] = [
  {
    name: 'safe add',
    usage: 'NAME --owner EMAIL',
    summary: 'Creates an empty Safe and prints its id.',
    options: { owner: { type: 'string' } },
    async run(context, args) {
      const { owner } = args.options
      if (typeof owner !== 'string') throw new UsageError('Whose Safe is it? --owner EMAIL is missing.')
      const app = await context.open()
      const account = await findAccount(app, owner)
      const safe = await app.safes.create(account.id, args.NAME)
      print(context, safe.id)
    },
  },
  {
    name: 'safe list',
    usage: '[--account EMAIL] [--json]',
    summary: 'Lists the Safes: id, name, entities, relations, passages.',
    options: { account: { type: 'string' }, json: { type: 'boolean' } },
    async run(context, args) {
      const app = await context.open()
      const { account } = args.options
      const reader = typeof account === 'string' ? (await findAccount(app, account)).id : null
      await printList(context, args, safesFor(app, reader), [
        'id',
        'name',
        'entities',
        'relations',
        'passages',
      ])
    },
  },
  {
    name: 'safe share',
    usage: 'SAFE EMAIL [--role reader|owner]',
    summary: 'Lets another account read the Safe (reader) or rule it (owner).',
    options: { role: { type: 'string', default: 'reader' } },
    async run(context, args) {
      const { role } = args.options
      if (role !== 'reader' && role !== 'owner') throw new UsageError('--role is reader or owner.')
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      const account = await findAccount(app, args.EMAIL)
      await app.safes.share(ownerId, safe.id, account.id, role)
      tell(context, `${account.email} is now ${role} of “${safe.name}”.`)
    },
  },
  {
    name: 'safe unshare',
    usage: 'SAFE EMAIL',
    summary: 'Takes an account’s membership of the Safe away.',
    async run(context, args) {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      const account = await findAccount(app, args.EMAIL)
      await app.safes.unshare(ownerId, safe.id, account.id)
      tell(context, `${account.email} can no longer read “${safe.name}”.`)
    },
  },
  {
    name: 'safe export',
    usage: 'SAFE --format jsonl|ntriples|csv',
    summary: 'Writes all of a Safe to standard output, as a file that can be imported again.',
    options: { format: { type: 'string' } },
    async run(context, args) {
      const { format } = args.options
      if (typeof format !== 'string') throw new UsageError('--format is missing: jsonl, ntriples or csv.')
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      const { chunks } = await app.safes.export(ownerId, safe.id, format)
      await pipeline(chunks, context.stdout, { end: false })
    },
  },
  {
    name: 'safe remove',
    usage: 'SAFE',
    summary: 'Removes a Safe with everything in it, for good.',
    async run(context, args) {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      await app.safes.remove(ownerId, safe.id)
      await app.safes.settled()
      tell(context, `The Safe “${safe.name}” is removed.`)
    },
  },
  {
    name: 'safe sample',
    usage: '[--owner EMAIL]',
    summary: 'Creates a small Safe worth asking questions of, and prints its id.',
    options: { owner: { type: 'string' } },
    async run(context, args) {
      const app = await context.open()
      const { owner } = args.options
      const account = typeof owner === 'string' ? await findAccount(app, owner) : await onlyAccount(app)
      const safe = await app.safes.createSample(account.id)
      print(context, safe.id)
      tell(context, `The Safe “${safe.name}” is filled.`)
    },
  },
]

/** The Safes that an account may read, or all of them. */
async function* safesFor(app: FastifyInstance, accountId: string | null) {
  const pages = async (after: string | undefined) =>
    accountId === null
      ? (await app.safes.all(from(after))).map(({ safe }) => safe)
      : app.safes.readableBy(accountId, from(after))
  for await (const { counts, ...safe } of allOf(pages, safe => safe.id)) yield { ...safe, ...counts }
}

async function onlyAccount(app: FastifyInstance) {
  const [account, ...others] = await app.accounts.list({ limit: 2 })
  if (!account) throw new Refusal('There is no account yet: svc account add EMAIL')
  if (others.length > 0) throw new UsageError('There are several accounts: name one with --owner EMAIL.')
  return account
}
