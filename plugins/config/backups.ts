import { Type } from '@sinclair/typebox'
import { HOUR_MS } from '../../platform/common/durations.js'
import type { S3Address } from '../../platform/storage/backup/s3-bucket.js'
import type { Schedule } from '../../platform/storage/backup/scheduled-backups.js'
import { type Check, text, type ValuesOf } from './setting.js'

/** Settings of the server's automatic backups. */
export const BACKUP_SETTINGS = {
  BACKUP_DIR: text({
    description:
      'Folder in which the server makes backups by itself (docs/operation.md). Empty: it makes none.',
    expected: 'a writable folder',
  }),
  BACKUP_EVERY: Type.String({
    default: '24h',
    pattern: '^[1-9]\\d{0,3}[hd]$',
    description: 'Time between two backups, in hours or days.',
    expected: 'a number of hours or days such as 6h, 24h or 7d',
  }),
  BACKUP_KEEP: Type.Integer({
    default: 7,
    minimum: 1,
    maximum: 1000,
    description: 'How many backups are kept; older ones are deleted.',
    expected: 'a whole number from 1 to 1000',
  }),
  BACKUP_S3_URL: text({
    description:
      'Bucket of an S3-compatible service, to which each backup of BACKUP_DIR is copied (docs/operation.md). Empty: none is.',
    expected: 'https://HOST/BUCKET or https://HOST/BUCKET/FOLDER, with BACKUP_DIR set',
  }),
  BACKUP_S3_REGION: Type.String({
    default: 'us-east-1',
    pattern: '^[a-z0-9-]{1,50}$',
    description: 'Region of the bucket. Services without regions take any, Cloudflare R2 takes auto.',
    expected: 'a region such as eu-central-1',
  }),
  BACKUP_S3_KEY_ID: text({
    description: 'Access key id for the bucket; it must be able to list, read, write and delete there.',
    expected: 'an access key id, with BACKUP_S3_URL set',
    secret: true,
  }),
  BACKUP_S3_SECRET_KEY: text({
    description: 'Secret access key for the bucket.',
    expected: 'a secret access key, with BACKUP_S3_URL set',
    secret: true,
  }),
  BACKUP_DOWNLOAD: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description:
      'Lets administrators download backups, in which they could read every Safe (docs/decisions/0059). Their password is asked for.',
    expected: 'on or off',
  }),
}

export interface BackupConfig {
  /** Folder and interval of automatic backups, or null. */
  backups: Schedule | null
  /** The bucket for copies of backups, or null. */
  backupBucket: S3Address | null
  /** Whether administrators can download backups. */
  hasBackupDownload: boolean
}

/** Reads the settings of this topic. */
export function readBackups(
  settings: ValuesOf<typeof BACKUP_SETTINGS>,
  check: Check<typeof BACKUP_SETTINGS>,
): BackupConfig {
  const { BACKUP_DIR: folder, BACKUP_EVERY: every, BACKUP_KEEP: keep, BACKUP_DOWNLOAD: download } = settings
  return {
    backups: folder ? { folder, everyMs: inMs(every), keep } : null,
    backupBucket: readBucket(settings, check),
    hasBackupDownload: download === 'on',
  }
}

function readBucket(
  settings: ValuesOf<typeof BACKUP_SETTINGS>,
  check: Check<typeof BACKUP_SETTINGS>,
): S3Address | null {
  const { BACKUP_S3_URL: url, BACKUP_S3_REGION: region } = settings
  const { BACKUP_S3_KEY_ID: keyId, BACKUP_S3_SECRET_KEY: secretKey } = settings
  const parts = BUCKET_URL.exec(url)
  check('BACKUP_S3_URL', url === '' || (parts !== null && settings.BACKUP_DIR !== ''))
  check('BACKUP_S3_KEY_ID', (keyId !== '') === (url !== ''))
  check('BACKUP_S3_SECRET_KEY', (secretKey !== '') === (url !== ''))
  if (!parts) return null
  const [, endpoint = '', folder = ''] = parts
  return { endpoint, prefix: folder === '' ? '' : `${folder}/`, region, keyId, secretKey }
}

/** Host and bucket, then the folder. No user, query or dots, which would be ambiguous in a signed path. */
const BUCKET_URL = /^(https?:\/\/[\w.-]+(?::\d{1,5})?\/[\w.-]{1,255})(?:\/([\w/-]{1,200}?))?\/?$/

/** Of a number of hours or days. */
const inMs = (text: string) => Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1) * HOUR_MS
