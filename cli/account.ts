import { type Command, print, printList, tell } from './command.js'
import { allAccounts, findAccount } from './find.js'
import { readPassword } from './password.js'

const passwordStdin = { 'password-stdin': { type: 'boolean' } } as const

export const accountCommands: Command[] = [
  {
    name: 'account add',
    usage: 'EMAIL [--password-stdin]',
    summary: 'Creates an account; asks for its password, or reads it from standard input.',
    options: passwordStdin,
    async run(context, args) {
      const password = await readPassword(context, args)
      const app = await context.open()
      const account = await app.accounts.add(args.EMAIL, password)
      print(context, account.id)
    },
  },
  {
    name: 'account list',
    usage: '[--json]',
    summary: 'Lists the accounts: id, e-mail address, role.',
    options: { json: { type: 'boolean' } },
    async run(context, args) {
      const app = await context.open()
      await printList(context, args, allAccounts(app), ['id', 'email', 'role'])
    },
  },
  {
    name: 'account password',
    usage: 'EMAIL [--password-stdin]',
    summary: 'Sets a new password and signs the account out everywhere.',
    options: passwordStdin,
    async run(context, args) {
      const app = await context.open()
      const account = await findAccount(app, args.EMAIL)
      await app.accounts.setPassword(account.id, await readPassword(context, args))
      tell(context, `The password of ${account.email} is changed.`)
    },
  },
  {
    name: 'account remove',
    usage: 'EMAIL',
    summary: 'Removes an account with its connections, and the Safes that only it owns.',
    async run(context, args) {
      const app = await context.open()
      const account = await findAccount(app, args.EMAIL)
      await app.accounts.remove(account.id)
      await app.safes.settled()
      tell(context, `The account ${account.email} is removed.`)
    },
  },
]
