import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.js'
import { loggerOptions } from './common/logger.js'
import { misspeltSettings } from './plugins/config/misspelt-settings.js'
import { ConfigError, loadConfig } from './plugins/config.js'

// What the data folder holds is for this user only.
process.umask(0o077)
const config = readConfig()
for (const sentence of misspeltSettings(process.env)) console.error(`Warning: ${sentence}`)
const app = await buildApp({ config, logger: loggerOptions(config), stopGraceMs: 1000 }).catch(refuse)

closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
  if (err) app.log.fatal({ err }, 'stopped by an error')
  await app.close()
})
// With Node's 511 a crowd that connects at once would wait for the system's retries, in seconds.
await app.listen({ host: config.host, port: config.port, backlog: 4096 }).catch(refuse)
console.error(`\n  Listening on ${config.baseUrl}\n${await setupLine()}`)

/** With no account yet: the one-time link that creates the first. On a public address nobody else can claim it. */
async function setupLine(): Promise<string> {
  if (!(await app.accounts.isEmpty())) return ''
  const token = await app.accounts.createSetupToken()
  return `  Create the first account: ${config.baseUrl}/setup?token=${token}\n`
}

function readConfig() {
  try {
    return loadConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error)
    throw error
  }
}

/** What stops the start is for the person who typed the command: a sentence, not a stack. */
function refuse(error: Error): never {
  console.error(`The service cannot start.\n${error.message}`)
  process.exit(1)
}
