import type { Command } from 'commander'
import { installationTexts } from '../domain/doctor/checks/installation-texts.js'
import { openDatabase } from '../platform/storage/open-database.js'
import { describeConfig, settingsTable } from '../plugins/config/describe.js'
import { loadConfig } from '../plugins/config.js'
import { type CommandContext, type Printed, print, printList, printMessage } from './command.js'

/** Adds `svc migrate` and `svc config`. */
export function configCommands(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('Updates the database schema, for release commands; the server does the same at start.')
    .action(async () => {
      const { dataDir, databaseUrl } = loadConfig(context.env)
      const database = await openDatabase({ dataDir, databaseUrl, role: 'cli' })
      await database.close()
      printMessage(context, 'The database is up to date.')
    })
  program
    .command('config')
    .description('Shows every setting: name, value (secrets withheld) and where it comes from.')
    .option('--json', 'Print JSON.')
    .option('--markdown', 'Print the table of settings and their defaults, for the documentation.')
    .action(async (options: Printed & { markdown?: true }) => {
      if (options.markdown) return print(context, settingsTable())
      await printList(context, options, describeConfig(context.env), ['name', 'value', 'from'])
      const { databaseUrl } = loadConfig(context.env)
      if (databaseUrl) await describePooler(context, databaseUrl)
    })
}

/** Prints how the service uses Postgres, if unusual and Postgres answers. */
async function describePooler(context: CommandContext, databaseUrl: string): Promise<void> {
  const { CurrentServer } = await import('../platform/storage/postgres/current-server.js')
  const found = await new CurrentServer(databaseUrl).find().catch(() => null)
  if (!found || found.pooler === 'none') return
  const { what, why } = installationTexts.pooler[found.pooler]
  printMessage(context, `${what} ${why}`)
}
