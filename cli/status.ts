import { resolve } from 'node:path'
import type { Command } from 'commander'
import { showTime } from '../platform/common/format.js'
import { version } from '../platform/common/package.js'
import { latestBackup } from '../platform/storage/backup/scheduled-backups.js'
import { openReader } from '../platform/storage/open-database.js'
import { withRunningServer } from '../plugins/config/running-server.js'
import { loadConfig } from '../plugins/config.js'
import { type CommandContext, type Printed, print, printList } from './command.js'
import { requireInstallation } from './installation.js'

/** Maximum time until the server's answer before it counts as not running. */
const ANSWER_MS = 3000

/** Adds `svc status`. */
export function statusCommand(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description('Shows what runs on this machine: address, server, data, Safes, last backup, version.')
    .option('--json', 'Print JSON.')
    .action(async ({ json }: Printed) => {
      const status = await statusOf(context.env)
      if (json) return print(context, JSON.stringify(status, null, 2))
      const rows = Object.entries(status).map(([name, value]) => ({ name, value: value ?? 'none' }))
      await printList(context, {}, rows, ['name', 'value'])
    })
}

/** @throws CommandError if there is no installation */
async function statusOf(env: CommandContext['env']) {
  const { dataDir, databaseUrl, baseUrl, port, redisUrl, backups } = loadConfig(withRunningServer(env))
  requireInstallation({ dataDir, databaseUrl })
  const { read } = await openReader({ dataDir, databaseUrl })
  try {
    const count = async (table: 'accounts' | 'safes') =>
      Number(
        (
          await read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('count'))
            .executeTakeFirstOrThrow()
        ).count,
      )
    const last = backups && latestBackup(backups.folder)
    return {
      version,
      address: baseUrl,
      server: (await answers(port)) ? `running on port ${port}` : `not running on port ${port}`,
      data: databaseUrl ? 'Postgres' : resolve(dataDir),
      tokens: redisUrl ? 'Redis' : 'with the data',
      accounts: await count('accounts'),
      safes: await count('safes'),
      last_backup: last
        ? `${last.file}, ${showTime(last.at)}`
        : backups
          ? null
          : 'not scheduled: BACKUP_DIR is not set',
    }
  } finally {
    await read.destroy()
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) })).ok
  } catch {
    return false
  }
}
