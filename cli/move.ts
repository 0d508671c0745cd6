import { isPostgresUrl, loadConfig } from '../plugins/config.js'
import { moveInstallation } from '../plugins/database/move.js'
import { openDatabase } from '../plugins/database.js'
import { type Command, print, Refusal, tell, UsageError } from './command.js'

export const moveCommands: Command[] = [
  {
    name: 'move',
    usage: '--to URL',
    summary:
      'Copies an embedded installation into an empty Postgres, and compares; the server is stopped meanwhile.',
    options: { to: { type: 'string' } },
    async run(context, { options }) {
      const url = String(options.to ?? '')
      if (!isPostgresUrl(url))
        throw new UsageError('--to needs an address: postgres://user@host:port/database')
      const { dataDir, databaseUrl } = loadConfig(context.env)
      if (databaseUrl) throw new Refusal('DATABASE_URL is set: this installation is in Postgres already.')
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
      tell(
        context,
        'Everything is there, and the same. Start the server with DATABASE_URL set to this address.',
      )
    },
  },
]
