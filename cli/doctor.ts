import { resolve } from 'node:path'
import type { Command } from 'commander'
import { examine } from '../domain/doctor/examine.js'
import type { CheckResult } from '../domain/doctor/finding.js'
import type { Installation } from '../domain/doctor/installation.js'
import { PublicAddress } from '../domain/doctor/public-address.js'
import { doctorTexts } from '../domain/doctor/texts.js'
import { createFetchDocument } from '../domain/oauth/clients/document-fetch.js'
import { isInstalled } from '../platform/storage/installed.js'
import { openReader } from '../platform/storage/open-database.js'
import { withRunningServer } from '../plugins/config/running-server.js'
import { type Config, loadConfig } from '../plugins/config.js'
import { findServiceKey } from '../plugins/service-key.js'
import { type CommandContext, CommandError, type Printed, print, printMessage } from './command.js'

/** Adds `svc doctor`, which exits with 1 if it finds a problem. */
export function doctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'Checks the public address and the stores of this installation, and shows how to fix problems.',
    )
    .option('--json', 'Print JSON.')
    .option('--mail <address>', 'Send a test message to this address.')
    .action(async ({ json, mail }: Printed & { mail?: string }) => {
      const { installation, close } = openInstallation(loadConfig(withRunningServer(context.env)), mail)
      const { results } = await examine(installation).finally(close)
      if (json) print(context, JSON.stringify(results, null, 2))
      else for (const result of results) printResult(context, result)
      const levels = results.flatMap(({ findings }) => findings.map(({ level }) => level))
      const count = (level: string) => levels.filter(each => each === level).length
      const summary = doctorTexts.summary(count('problem'), count('warning'))
      if (count('problem') > 0) throw new CommandError(summary)
      printMessage(context, summary || doctorTexts.noProblems)
    })
}

function printResult(context: CommandContext, { check, level, findings }: CheckResult): void {
  const { checks, levels, why, fix } = doctorTexts
  print(context, `${levels[level].padEnd(9)}${checks[check]}`)
  for (const finding of findings) {
    for (const line of [finding.what, `${why} ${finding.why}`, `${fix} ${finding.fix}`])
      print(context, `         ${line}`)
  }
}

/** Opens each store when a check needs it, so that one that does not answer is a finding. */
function openInstallation(
  config: Config,
  mailTo?: string,
): { installation: Installation; close(): Promise<void> } {
  const database = once(async () => {
    const { dataDir, databaseUrl } = config
    // Opening would create it.
    if (!isInstalled(config)) throw new Error(`There is no database in ${resolve(dataDir)}.`)
    return (await openReader({ dataDir, databaseUrl })).read
  })
  const redis = once(async () => {
    const url = config.redisUrl
    return url ? (await import('../platform/storage/redis/redis-client.js')).openRedis(url) : null
  })
  return {
    installation: {
      settings: config,
      address: new PublicAddress(config.baseUrl),
      database: database.open,
      redis: redis.open,
      keyFor: async () => findServiceKey({ read: await database.open() }),
      unknownSettings: config.unknown,
      mailTo,
      fetchDocument: createFetchDocument(),
      clock: Date.now,
    },
    async close() {
      await (await database.opened())?.destroy()
      ;(await redis.opened())?.disconnect()
    },
  }
}

/** Opens something on the first call. */
function once<T>(open: () => Promise<T>): { open(): Promise<T>; opened(): Promise<T | null> } {
  let opening: Promise<T> | undefined
  return {
    open() {
      opening ??= open()
      return opening
    },
    opened: async () => opening?.catch(() => null) ?? null,
  }
}
