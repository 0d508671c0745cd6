import { createReadStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { Manifest } from '../platform/storage/backup/backup-file.js'
import { makeBackup } from '../platform/storage/backup/make-backup.js'
import { restoreBackup } from '../platform/storage/backup/restore-backup.js'
import { loadConfig } from '../plugins/config.js'
import { type CommandContext, print, printMessage } from './command.js'
import { type Confirmed, confirm, YES } from './confirm.js'
import { requireInstallation } from './installation.js'

/** Adds `svc backup` and `svc restore`. */
export function backupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('Copies accounts, Safes and connections into one file, even while the server runs.')
    .argument('<file>', 'The new file, or - for the standard output.')
    .action(async (file: string) => {
      const { dataDir, databaseUrl } = loadConfig(context.env)
      requireInstallation({ dataDir, databaseUrl })
      if (file !== '-') {
        report(context, await makeBackup({ dataDir, databaseUrl }, file, Date.now()))
        return
      }
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      const folder = mkdtempSync(join(dataDir, 'backup-'))
      try {
        const copy = join(folder, 'svc.db')
        await makeBackup({ dataDir, databaseUrl }, copy, Date.now())
        await pipeline(createReadStream(copy), context.stdout, { end: false })
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  program
    .command('restore')
    .description(
      'Replaces everything with a backup, in the embedded database or in Postgres. Stop the server first.',
    )
    .argument('<file>')
    .option(
      '--keep-sign-ins',
      'Keep sessions and tokens of the backup, which has none of Redis. Only if nothing was revoked or changed since it was made.',
    )
    .option(...YES)
    .action(async (file: string, options: Confirmed & { keepSignIns?: true }) => {
      const { dataDir, databaseUrl } = loadConfig(context.env)
      await confirm(context, options, 'Replace all accounts, Safes and connections?')
      const { manifest, before } = await restoreBackup(
        file,
        { dataDir, databaseUrl },
        { now: Date.now(), keepSignIns: options.keepSignIns === true },
      )
      report(context, manifest)
      printMessage(context, `Restored the backup of ${new Date(manifest.createdAt).toISOString()}.`)
      if (before) printMessage(context, `The previous data is in ${before}.`)
    })
}

function report(context: CommandContext, { tables }: Manifest): void {
  for (const { table, rows, sha256 } of tables) print(context, `${table}\t${rows}\t${sha256}`)
}
