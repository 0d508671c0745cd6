import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/common/clock.js'
import type { KeyFor } from '../../platform/common/secrets.js'
import type { S3Address } from '../../platform/storage/backup/s3-bucket.js'
import type { Schedule } from '../../platform/storage/backup/scheduled-backups.js'
import type { RedisClient } from '../../platform/storage/redis/client.js'
import type { Schema } from '../../platform/storage/schema.js'
import type { ProviderSettings } from '../accounts/openid/provider.js'
import type { MailFrom, SmtpServer } from '../mail/smtp-url.js'
import type { FetchDocument } from '../oauth/clients/document-fetch.js'
import type { PublicAddress } from './public-address.js'

/** The settings that checks look at. */
interface CheckedSettings {
  baseUrl: string
  dataDir: string
  databaseUrl: string | null
  redisUrl: string | null
  backups: Schedule | null
  backupBucket: S3Address | null
  trustProxy: readonly string[]
  mail: { server: SmtpServer; from: MailFrom } | null
  provider: ProviderSettings | null
}

/** What the checks examine: the same for the command, beside the server, and for the page, inside it. */
export interface Installation {
  settings: CheckedSettings
  address: PublicAddress
  /** For reading only. @throws when it cannot be opened */
  database(): Promise<Kysely<Schema>>
  /** Null without REDIS_URL. @throws when none answers */
  redis(): Promise<RedisClient | null>
  /** Derives keys from the service’s own key. Null before its first start. @throws like `database` */
  keyFor(): Promise<KeyFor | null>
  /** A sentence for each variable that looks like a setting and is none. */
  unknownSettings: readonly string[]
  /** Whom to send a message to, as a test. */
  mailTo?: string | undefined
  fetchDocument: FetchDocument
  clock: Clock
}
