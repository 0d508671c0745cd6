import { type Command, Option } from 'commander'
import type { FastifyInstance } from 'fastify'
import { type CommandContext, CommandError, type Printed, print, printList, printMessage } from './command.js'
import { type Confirmed, confirm, YES } from './confirm.js'
import { exportCommand } from './export.js'
import { allOf, findAccount, findSafe, from } from './find.js'
import { identityCommands } from './identity.js'
import { amountOf, importCommands, importNumber, restoreImport } from './import.js'
import { PLACE } from './place.js'
import { singleValuedCommand } from './single-valued.js'
import { syncCommand } from './sync.js'

const OWNER = [
  '--owner <email>',
  'The account that will own the Safe; required if there are several accounts.',
] as const

export function safeCommands(program: Command, context: CommandContext): void {
  const safe = program.command('safe').description('Manage Safes and their contents.')
  safe
    .command('add')
    .description('Creates an empty Safe and prints its id.')
    .argument('<name>')
    .option(...OWNER)
    .action(async (name: string, { owner }: { owner?: string }, command: Command) => {
      const app = await context.open()
      const account = await ownerOf(app, owner, command)
      const safe = await app.safes.create(account.id, name)
      print(context, safe.id)
    })
  safe
    .command('list')
    .description('Lists the Safes: id, name, entities, relations, passages, documents.')
    .option('--account <email>', 'Only those that this account may read.')
    .option('--json', 'Print JSON.')
    .option(...PLACE.server)
    .option(...PLACE.local)
    .action(async ({ account, ...options }: Printed & { account?: string }) => {
      const target = await context.target()
      const columns = ['id', 'name', 'entities', 'relations', 'passages', 'documents'] as const
      await printList(context, options, target.safes(account), [...columns])
    })
  safe
    .command('share')
    .description('Lets another account read the Safe (reader) or manage it (owner).')
    .argument('<safe>', 'Its id or name.')
    .argument('<email>')
    .addOption(
      new Option('--role <role>', 'The role of the account.').choices(['reader', 'owner']).default('reader'),
    )
    .action(async (idOrName: string, email: string, { role }: { role: 'reader' | 'owner' }) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const account = await findAccount(app, email)
      await app.safes.members.share(ownerId, safe.id, account.id, role)
      printMessage(context, `${account.email} is now ${role} of “${safe.name}”.`)
    })
  safe
    .command('unshare')
    .description('Removes an account from the Safe.')
    .argument('<safe>', 'Its id or name.')
    .argument('<email>')
    .option(...YES)
    .action(async (idOrName: string, email: string, options: Confirmed) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const account = await findAccount(app, email)
      await confirm(context, options, `Remove ${account.email} from “${safe.name}”?`)
      await app.safes.members.unshare(ownerId, safe.id, account.id)
      printMessage(context, `${account.email} can no longer read “${safe.name}”.`)
    })
  importCommands(safe, context)
  syncCommand(safe, context)
  singleValuedCommand(safe, context)
  identityCommands(safe, context)
  exportCommand(safe, context)
  safe
    .command('remove')
    .description('Removes a Safe and its contents. It can be restored for 7 days.')
    .argument('<safe>', 'Its id or name.')
    .option(...YES)
    .action(async (idOrName: string, options: Confirmed) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const found = await app.safes.find(ownerId, safe.id)
      const amount = found ? ` (${amountOf(found.counts)})` : ''
      await confirm(context, options, `Remove the Safe “${safe.name}”${amount}?`)
      await app.safes.removal.remove(ownerId, safe.id)
      await app.safes.settled()
      printMessage(context, `Removed the Safe “${safe.name}”. To restore it: svc safe restore ${safe.id}`)
    })
  safe
    .command('removed')
    .description('Lists the removed Safes that can be restored: id, name, until when.')
    .option('--json', 'Print JSON.')
    .action(async (options: Printed) => {
      const app = await context.open()
      await printList(context, options, removedSafes(app), ['id', 'name', 'restorableUntil'])
    })
  safe
    .command('restore')
    .description('Restores a removed Safe, or an undone import of a Safe.')
    .argument('<safe>', 'Its id or name.')
    .argument('[import]', 'Its number, as listed by svc safe imports --undone.', importNumber)
    .action(async (idOrName: string, importId?: number) => {
      const app = await context.open()
      if (importId !== undefined) return restoreImport(context, app, idOrName, importId)
      const { id, name, ownerId } = await findRemoved(app, idOrName)
      await app.safes.removal.restore(ownerId, id)
      printMessage(context, `Restored the Safe “${name}”.`)
    })
  safe
    .command('sample')
    .description('Creates a small sample Safe and prints its id.')
    .option(...OWNER)
    .action(async ({ owner }: { owner?: string }, command: Command) => {
      const app = await context.open()
      const account = await ownerOf(app, owner, command)
      const safe = await app.safes.createSample(account.id)
      print(context, safe.id)
      printMessage(context, `The Safe “${safe.name}” is ready.`)
    })
}

/** Every removed Safe, with the time as text. */
async function* removedSafes(app: FastifyInstance) {
  const pages = (after: string | undefined) => app.safes.removal.all(from(after))
  for await (const { restorableUntil, ...safe } of allOf(pages, ({ id }) => id))
    yield { ...safe, restorableUntil: new Date(restorableUntil).toISOString() }
}

async function findRemoved(app: FastifyInstance, idOrName: string) {
  const found = []
  for await (const safe of removedSafes(app))
    if (safe.id === idOrName || safe.name === idOrName) found.push(safe)
  const [one, ...others] = found
  if (!one) throw new CommandError(`There is no removed Safe with the id or name “${idOrName}”.`)
  if (others.length > 0) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new CommandError(`Several removed Safes are called “${idOrName}”. Use one of these ids: ${ids}.`)
  }
  return one
}

/** The account that is named, or the only one. */
async function ownerOf(app: FastifyInstance, email: string | undefined, command: Command) {
  if (email !== undefined) return findAccount(app, email)
  const [account, ...others] = await app.accounts.list({ limit: 2 })
  if (!account) throw new CommandError('There is no account yet. Create one: svc account add EMAIL')
  if (others.length > 0) command.error('error: There are several accounts. Choose one with --owner EMAIL.')
  return account
}
