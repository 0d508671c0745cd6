import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.js'
import { RUNNING_FILE } from './plugins/config/running-server.js'
import { ConfigError } from './plugins/config/settings.js'
import { loadConfig } from './plugins/config.js'
import { loggerOptions } from './plugins/logger.js'
import { startAgain, startsByItself } from './plugins/restore/start-again.js'
import { startProblem } from './plugins/start-problem.js'

// Files in the data folder are readable by this user only.
process.umask(0o077)
// What cannot be printed stops nothing.
process.stderr.on('error', () => {})
const config = readConfig()
for (const sentence of config.unknown) console.error(`Warning: ${sentence}`)
const app = await buildApp({
  config,
  logger: loggerOptions(config),
  stopGrace: () => pause(1000),
  startAgain: () => void app.close().finally(startAgainOrStop),
}).catch(exitWith)

closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
  if (err) app.log.fatal({ err }, 'stopping after an error')
  await app.close()
})
// With Node's default of 511, many clients connecting at once would wait seconds for TCP retries.
await app.listen({ host: config.host, port: config.port, backlog: 4096 }).catch(exitWith)
const running = join(config.dataDir, RUNNING_FILE)
writeFileSync(running, JSON.stringify({ PORT: config.port, BASE_URL: config.baseUrl }))
process.once('exit', () => rmSync(running, { force: true }))
console.error(
  `\n  Listening on ${config.baseUrl}\n  Data folder: ${resolve(config.dataDir)}\n${await setupLine()}`,
)

/**
 * The one-time link that creates the first account, until it exists. The token prevents strangers from
 * claiming a public service.
 */
async function setupLine(): Promise<string> {
  if (!(await app.accounts.records.isEmpty())) return ''
  const token = await app.accounts.invitations.createSetupToken()
  return `  Create the first account: ${config.baseUrl}/setup?token=${token}\n`
}

function readConfig() {
  try {
    return loadConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error)
    throw error
  }
}

function startAgainOrStop(): never {
  if (!startsByItself) console.error('Start the service again: a backup is restored then.')
  return startAgain()
}

/** Prints the reason without a stack trace: it is for the person who started the service. */
function exitWith(error: Error): never {
  console.error(`The service cannot start.\n${startProblem(error, process.env) ?? error.message}`)
  process.exit(1)
}
