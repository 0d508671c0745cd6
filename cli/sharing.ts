import { type Command, Option } from 'commander'
import { type CommandContext, printMessage } from './command.js'
import { type Confirmed, confirm, YES } from './confirm.js'
import { findAccount, findSafe } from './find.js'

/** Adds `share` and `unshare` under `safe`. */
export function sharingCommands(safe: Command, context: CommandContext): void {
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
}
