import type { Command } from 'commander'
import { type CommandContext, type Printed, print, printList, printMessage } from './command.js'
import { type Confirmed, confirm, YES } from './confirm.js'
import { allAccounts, findAccount } from './find.js'
import { type PasswordSource, readPassword } from './password.js'

const PASSWORD_STDIN = [
  '--password-stdin',
  'Read the password from the first line of standard input.',
] as const

/** Adds `svc account …`. */
export function accountCommands(program: Command, context: CommandContext): void {
  const account = program.command('account').description('Manage accounts.')
  account
    .command('add')
    .description('Creates an account; asks for its password, or reads it from standard input.')
    .argument('<email>')
    .option(...PASSWORD_STDIN)
    .action(async (email: string, options: PasswordSource, command: Command) => {
      const password = await readPassword(context, options, command)
      const app = await context.open()
      const account = await app.accounts.add(email, password)
      print(context, account.id)
    })
  account
    .command('list')
    .description('Lists the accounts: id, e-mail address, role.')
    .option('--json', 'Print JSON.')
    .action(async (options: Printed) => {
      const app = await context.open()
      await printList(context, options, allAccounts(app), ['id', 'email', 'role'])
    })
  account
    .command('password')
    .description('Sets a new password and signs the account out everywhere.')
    .argument('<email>')
    .option(...PASSWORD_STDIN)
    .action(async (email: string, options: PasswordSource, command: Command) => {
      const app = await context.open()
      const account = await findAccount(app, email)
      await app.accounts.passwords.set(account.id, await readPassword(context, options, command))
      printMessage(context, `Changed the password of ${account.email}.`)
    })
  account
    .command('reset')
    .description('Prints a link that sets a new password once within 24 hours.')
    .argument('<email>')
    .action(async (email: string) => {
      const app = await context.open()
      const account = await findAccount(app, email)
      const token = await app.accounts.passwords.createResetToken(account.id)
      printMessage(context, `Send this link to ${account.email} only. It replaces earlier ones:`)
      print(context, `${app.config.baseUrl}/reset?token=${token}`)
    })
  account
    .command('remove')
    .description('Removes an account with its connections, and the Safes owned by no other account.')
    .argument('<email>')
    .option(...YES)
    .action((email: string, options: Confirmed) => removeAccount(context, email, options))
}

async function removeAccount(context: CommandContext, email: string, options: Confirmed): Promise<void> {
  const app = await context.open()
  const account = await findAccount(app, email)
  await confirm(context, options, `Remove ${account.email} and the Safes that nobody else owns, for good?`)
  await app.accounts.remove(account.id)
  await app.safes.idle()
  printMessage(context, `Removed the account ${account.email}.`)
}
