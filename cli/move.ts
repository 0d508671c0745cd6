import { type Command, InvalidArgumentError } from 'commander'
import { moveInstallation } from '../platform/storage/move.js'
import { openDatabase } from '../platform/storage/open-database.js'
import { isPostgresUrl } from '../plugins/config/storage.js'
import { loadConfig } from '../plugins/config.js'
import { type CommandContext, CommandError, print, printMessage } from './command.js'
import { requireInstallation } from './installation.js'

/** Adds `svc move`. */
export function moveCommands(program: Command, context: CommandContext): void {
  program
    .command('move')
    .description(
      'Copies an embedded installation to an empty Postgres database and verifies the copy. Stop the server first.',
    )
    .requiredOption('--to <url>', 'postgres://user@host:port/database', postgresUrl)
    .action(async ({ to: url }: { to: string }) => {
      const { dataDir, databaseUrl } = loadConfig(context.env)
      if (databaseUrl)
        throw new CommandError('DATABASE_URL is set: this installation is already in Postgres.')
      requireInstallation({ dataDir, databaseUrl })
      const from = await openDatabase({ dataDir, role: 'server' })
      try {
        const to = await openDatabase({ dataDir, databaseUrl: url, role: 'server' })
        try {
          await moveInstallation(from, to, ({ table, rows, sha256 }) =>
            print(context, `${table}\t${rows}\t${sha256}`),
          )
        } finally {
          await to.close()
        }
      } finally {
        await from.close()
      }
      printMessage(
        context,
        'All rows were copied and verified. Start the server with DATABASE_URL set to this address.',
      )
    })
}

function postgresUrl(text: string): string {
  if (isPostgresUrl(text)) return text
  throw new InvalidArgumentError('Expected an address such as postgres://user@host:port/database.')
}
