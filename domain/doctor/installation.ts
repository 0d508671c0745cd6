import type { Clock } from '../../platform/common/clock.js'
import type { KeyFor } from '../../platform/common/secrets.js'
import type { S3Address } from '../../platform/storage/backup/s3-bucket.js'
import type { Schedule } from '../../platform/storage/backup/scheduled-backups.js'
import type { RedisClient } from '../../platform/storage/redis/client.js'
import type { Db } from '../../platform/storage/schema.js'
import type { ProviderSettings } from '../accounts/openid/provider.js'
import type { MailFrom, SmtpServer } from '../mail/smtp-url.js'
import type { FetchDocument } from '../oauth/clients/document-fetch.js'
import type { PublicAddress } from './public-address.js'

/** The settings that checks use. */
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

/** The input of the checks: the same for the command, next to the server, and for the page, inside it. */
export interface Installation {
  settings: CheckedSettings
  address: PublicAddress
  /** Read only. @throws if it cannot be opened */
  database(): Promise<Db>
  /** Null without REDIS_URL. @throws if none answers */
  redis(): Promise<RedisClient | null>
  /** Derives keys from the service’s own key. Null before its first start. @throws like `database` */
  keyFor(): Promise<KeyFor | null>
  /** A sentence for each variable that looks like a setting but is unknown. */
  unknownSettings: readonly string[]
  /** The recipient of a test message. */
  mailTo?: string | undefined
  fetchDocument: FetchDocument
  clock: Clock
}
