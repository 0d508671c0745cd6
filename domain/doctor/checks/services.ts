import { resolve } from 'node:path'
import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { isInstalled } from '../../../platform/storage/installed.js'
import { schemaOf } from '../../../platform/storage/migrate.js'
import { isCluster } from '../../../platform/storage/redis/client.js'
import type { Db } from '../../../platform/storage/schema.js'
import { INSTALLATION } from '../../../platform/storage/tables.js'
import { selectWhere } from '../../../platform/storage/where.js'
import { discoverProvider } from '../../accounts/openid/provider.js'
import { smtpSender, verifySmtp } from '../../mail/smtp.js'
import { DocumentError, readDocument } from '../../oauth/clients/client-document.js'
import { type Advice, type Finding, note, problem, reasonOf, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

/** What the service depends on. */
export const serviceChecks = {
  database: checkDatabase,
  redis: checkRedis,
  mail: checkMail,
  provider: checkProvider,
  clients: checkClients,
}

/** Whether there is a database that answers and has the schema of this version. */
async function checkDatabase({ database, settings }: Installation): Promise<Finding[]> {
  if (!isInstalled(settings)) return problem(installationTexts.noInstallation(resolve(settings.dataDir)))
  try {
    const db = await database()
    await sql`select 1`.execute(db)
    await schemaOf(db as never)
    return settings.databaseUrl ? await checkPostgres(db, settings.databaseUrl) : []
  } catch (error) {
    const setting = settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
    return problem(installationTexts.database(setting, reasonOf(error)))
  }
}

async function checkPostgres(db: Db, databaseUrl: string): Promise<Finding[]> {
  const { rows } = await sql<{ mode: string }>`
    select current_setting('transaction_read_only') as mode`.execute(db)
  if (rows[0]?.mode === 'on') return problem(installationTexts.readOnly)
  const { CurrentServer } = await import('../../../platform/storage/postgres/current-server.js')
  const { pooler } = await new CurrentServer(databaseUrl).find()
  return pooler === 'none' ? [] : note(installationTexts.pooler[pooler])
}

/** Whether Redis persists its data: tokens are stored there for 90 days (docs/redis-keys.md). */
async function checkRedis({ redis, database }: Installation): Promise<Finding[]> {
  try {
    const client = await redis()
    if (!client) return []
    const nodes = isCluster(client) ? client.nodes('master') : [client]
    const found = await Promise.all(nodes.map(checkNode))
    return [...found.flat(), ...(await installationId(database))]
  } catch (error) {
    const reason = reasonOf(error)
    const isRefused = /^(?:WRONGPASS|NOAUTH|ERR AUTH)/.test(reason)
    return problem(isRefused ? installationTexts.redis.password : installationTexts.redis.unavailable(reason))
  }
}

/** The key prefix of this installation. */
async function installationId(database: Installation['database']): Promise<Finding[]> {
  const db = await database().catch(() => null)
  const keys = db && selectWhere(db, 'service_keys', { name: INSTALLATION }).select('value')
  const { value = '' } = (await keys?.executeTakeFirst().catch(() => undefined)) ?? {}
  return value === '' ? [] : note(installationTexts.redis.keysBeginWith(value))
}

async function checkNode(redis: Redis): Promise<Finding[]> {
  // Hosted servers refuse CONFIG, but not INFO.
  const [persistence, memory] = await Promise.all([redis.info('persistence'), redis.info('memory')])
  const policy = field(memory, 'maxmemory_policy')
  return [
    ...(await persistenceOf(redis, persistence)),
    ...(policy === 'noeviction' ? [] : problem(installationTexts.redis.evicts(policy))),
  ]
}

async function persistenceOf(redis: Redis, info: string): Promise<Finding[]> {
  const { snapshotsOnly, noFile, fileFails } = installationTexts.redis
  if (field(info, 'aof_enabled') === '0')
    return (await savesSnapshots(redis)) ? problem(snapshotsOnly) : warning(noFile)
  return field(info, 'aof_last_write_status') === 'err' ? problem(fileFails) : []
}

const savesSnapshots = (redis: Redis) =>
  redis.config('GET', 'save').then(
    answer => (answer as string[])[1] !== '',
    () => true,
  )

const field = (info: string, name: string) =>
  info
    .split(/\s+/)
    .find(line => line.startsWith(`${name}:`))
    ?.slice(name.length + 1) ?? ''

const SEND_MS = 9000

/** Whether the mail server accepts our password, and a message if one was requested. */
async function checkMail({ settings, mailTo }: Installation): Promise<Finding[]> {
  const { mail, baseUrl } = settings
  if (!mail) return mailTo ? problem(installationTexts.mail.none) : []
  const options = { ...mail, name: new URL(baseUrl).hostname }
  try {
    if (!mailTo) await verifySmtp(options)
    else {
      const message = {
        to: mailTo,
        subject: installationTexts.mail.test.subject,
        text: installationTexts.mail.test.text(baseUrl),
      }
      await smtpSender(options)(message, AbortSignal.timeout(SEND_MS))
    }
    return []
  } catch (error) {
    return problem(refused(`${mail.server.host}:${mail.server.port}`, mail.from.address, mailTo ?? '', error))
  }
}

function refused(server: string, sender: string, to: string, error: unknown): Advice {
  const { code, command, response } = error as { code?: string; command?: string; response?: string }
  if (code === 'EAUTH') return installationTexts.mail.password(server)
  const reason = (response ?? reasonOf(error)).slice(0, 200)
  if (command === 'MAIL FROM') return installationTexts.mail.sender(server, sender, reason)
  return command === 'RCPT TO'
    ? installationTexts.mail.recipient(server, to, reason)
    : installationTexts.mail.refuses(server, reason)
}

/** Whether the OpenID provider publishes its metadata, for the issuer that is set. */
async function checkProvider({ settings: { provider } }: Installation): Promise<Finding[]> {
  if (!provider) return []
  try {
    await discoverProvider(provider)
    return []
  } catch (error) {
    return problem(installationTexts.provider(provider.issuer, reasonOf(error)))
  }
}

const MAX = 20
const AT_ONCE = 5
/** A connection ends after 90 days without use. */
const IN_USE_MS = 90 * 86_400_000

/** Whether the documents of connected assistants can be read: a new sign-in needs them (ADR 1). */
async function checkClients(installation: Installation): Promise<Finding[]> {
  const { database, fetchDocument, clock } = installation
  const db = await database().catch(() => null)
  // The check of the database reports the reason.
  if (!db) return []
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    // A range of the primary key. Other ids begin with the brand.
    .where('id', '>=', 'https://')
    .where('id', '<', 'https:0')
    .where('last_used_at', '>', clock() - IN_USE_MS)
    .orderBy('id')
    .limit(MAX)
    .execute()
  const limit = pLimit(AT_ONCE)
  const check = async ({ id, name }: { id: string; name: string }): Promise<Finding[]> => {
    try {
      readDocument(id, (await fetchDocument(id)).json, clock())
      return []
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      return warning(installationTexts.clients(name, id, error.message))
    }
  }
  const found = await Promise.all(clients.map(client => limit(check, client)))
  return found.flat()
}
