import { isAbsolute } from 'node:path'
import { Type } from '@sinclair/typebox'
import { postgresUrls } from '../../platform/storage/postgres/postgres-url.js'
import { parseRedisUrl, REDIS_URL_FORMS } from '../../platform/storage/redis/redis-url.js'
import { type Check, text, type ValuesOf } from './setting.js'

/** Storage of accounts, Safes, tokens and indexes. */
export const STORAGE_SETTINGS = {
  DATA_DIR: text(
    {
      description: 'Folder of the embedded database and of index files.',
      expected: 'a writable folder',
    },
    'data',
  ),
  DATABASE_URL: text({
    description:
      'Postgres for accounts, Safes and connections, shared by any number of processes, at one host or at several separated by commas (docs/scaling.md). Empty: the embedded database.',
    expected: 'postgres://user:password@host:port/database',
    secret: true,
  }),
  INDEX_CACHE_MB: Type.Integer({
    default: 512,
    minimum: 1,
    maximum: 65_536,
    description:
      'Memory for the indexes of Safes. A larger Safe is read from its file for every question (docs/decisions/0017).',
    expected: 'a whole number of megabytes from 1 to 65536',
  }),
  SYNC_FOLDERS: text({
    description:
      'Folders of this machine, such as mounted volumes, that administrators may choose on the page of a Safe, with the folders in them. The service keeps the Safe in step with them. Empty: none.',
    expected: 'absolute paths, separated by commas',
  }),
  REDIS_URL: text({
    description:
      'Redis for codes, tokens, sessions and rate limits: one server, Sentinel or Cluster. Empty: the embedded database holds them.',
    expected: REDIS_URL_FORMS,
    secret: true,
  }),
}

export interface StorageConfig {
  dataDir: string
  /** `null`: the embedded database. */
  databaseUrl: string | null
  indexCacheBytes: number
  syncFolders: readonly string[]
  /** `null`: the embedded database also holds ephemeral state. */
  redisUrl: string | null
}

/** Reads the settings of this topic. */
export function readStorage(
  settings: ValuesOf<typeof STORAGE_SETTINGS>,
  check: Check<typeof STORAGE_SETTINGS>,
): StorageConfig {
  check('DATABASE_URL', settings.DATABASE_URL === '' || isPostgresUrl(settings.DATABASE_URL))
  try {
    if (settings.REDIS_URL) parseRedisUrl(settings.REDIS_URL)
  } catch (error) {
    check('REDIS_URL', false, (error as Error).message)
  }
  const syncFolders = settings.SYNC_FOLDERS.split(',').flatMap(path => path.trim() || [])
  check('SYNC_FOLDERS', syncFolders.every(isAbsolute))
  return {
    syncFolders,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL || null,
    indexCacheBytes: settings.INDEX_CACHE_MB * 1024 * 1024,
    redisUrl: settings.REDIS_URL || null,
  }
}

/** Whether a text is the address of a Postgres database. */
export function isPostgresUrl(value: string): boolean {
  try {
    return postgresUrls(value).length > 0
  } catch {
    return false
  }
}
