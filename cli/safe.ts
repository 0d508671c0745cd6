import type { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { type CommandContext, CommandError, type Printed, print, printList, printMessage } from './command.js'
import { exportCommand } from './export.js'
import { findAccount } from './find.js'
import { identityCommands } from './identity.js'
import { importCommands } from './import.js'
import { PLACE } from './place.js'
import { removalCommands } from './removal.js'
import { sharingCommands } from './sharing.js'
import { singleValuedCommand } from './single-valued.js'
import { syncCommand } from './sync.js'

const OWNER = [
  '--owner <email>',
  'The account that will own the Safe; required if there are several accounts.',
] as const

/** Adds `svc safe …`. */
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
  sharingCommands(safe, context)
  importCommands(safe, context)
  syncCommand(safe, context)
  singleValuedCommand(safe, context)
  identityCommands(safe, context)
  exportCommand(safe, context)
  removalCommands(safe, context)
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

/** The named account, or the only one. */
async function ownerOf(app: FastifyInstance, email: string | undefined, command: Command) {
  if (email !== undefined) return findAccount(app, email)
  const [account, ...others] = await app.accounts.records.list({ limit: 2 })
  if (!account) throw new CommandError('There is no account yet. Create one: svc account add EMAIL')
  if (others.length > 0) command.error('error: There are several accounts. Choose one with --owner EMAIL.')
  return account
}
