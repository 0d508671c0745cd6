import { existsSync } from 'node:fs'
import { readFile, stat, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/common/clock.js'
import { showBytes, showTime } from '../../../platform/common/format.js'
import { latestBackup } from '../../../platform/storage/backup/scheduled-backups.js'
import { isInstalled } from '../../../platform/storage/installed.js'
import { isCluster } from '../../../platform/storage/redis/client.js'
import { type Finding, note, problem, reasonOf, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

/** The settings and the machine. */
export const machineChecks = {
  settings: checkSettings,
  openFiles: checkOpenFiles,
  disk: checkDisk,
  clock: checkClock,
  backups: checkBackups,
}

/** A failed copy is retried every ten minutes. */
const COPIED_WITHIN_MS = 3_600_000

/** Whether the newest backup is at most twice as old as BACKUP_EVERY, and copied. */
async function checkBackups(installation: Installation): Promise<Finding[]> {
  const { settings, clock } = installation
  const { backups } = settings
  if (!backups) return note(installationTexts.backups.off)
  try {
    const latest = latestBackup(backups.folder)
    if (!latest)
      return [
        ...problem(installationTexts.backups.none(backups.folder)),
        ...(await checkCopies(installation, null)),
      ]
    const isOld = clock() - latest.at > 2 * backups.everyMs
    const old = isOld ? problem(installationTexts.backups.old(latest.file, showTime(latest.at))) : []
    return [...old, ...(await checkCopies(installation, latest))]
  } catch (error) {
    return problem(installationTexts.backups.unreadable(backups.folder, reasonOf(error)))
  }
}

/** Whether the bucket answers, takes our keys and has this backup. */
async function checkCopies(
  { settings: { backupBucket }, clock }: Installation,
  latest: ReturnType<typeof latestBackup>,
): Promise<Finding[]> {
  if (!backupBucket) return []
  try {
    // Its library is loaded only where it is used.
    const { S3Bucket } = await import('../../../platform/storage/backup/s3-bucket.js')
    const copies = await new S3Bucket(backupBucket).list()
    if (!latest || clock() - latest.at < COPIED_WITHIN_MS) return []
    const name = basename(latest.file)
    return copies.some(copy => copy.name === name)
      ? []
      : problem(installationTexts.backups.notCopied(name, backupBucket.endpoint))
  } catch (error) {
    return problem(installationTexts.backups.bucket(backupBucket.endpoint, reasonOf(error)))
  }
}

/** Whether a variable looks like a setting but is unknown. */
async function checkSettings({ unknownSettings }: Installation): Promise<Finding[]> {
  return unknownSettings.flatMap(sentence => warning(installationTexts.settings(sentence)))
}

const ENOUGH = 1024

/** The maximum number of open files of this process. Only Linux has it in a file. */
async function checkOpenFiles(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  return limit < ENOUGH ? warning(installationTexts.openFiles(limit)) : []
}

const FULL_BYTES = 32 * 1024 * 1024
const LOW_BYTES = 256 * 1024 * 1024

/** Whether the folders of the data and of backups are writable, with enough free space. */
async function checkDisk({ settings }: Installation): Promise<Finding[]> {
  const { dataDir, databaseUrl, backups } = settings
  const databaseBytes = databaseUrl ? 0 : await sizeOf(join(dataDir, 'svc.db'))
  // The first start creates the folder; the check of the database reports a missing one.
  const isExpected = isInstalled(settings) || existsSync(dataDir)
  const folders = [...(isExpected ? [dataDir] : []), ...(backups ? [backups.folder] : [])]
  const found = await Promise.all(folders.map(folder => checkFolder(folder, databaseBytes)))
  return found.flat()
}

/** Space is also needed for a backup, which an update makes first. */
async function checkFolder(folder: string, databaseBytes: number): Promise<Finding[]> {
  try {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free < FULL_BYTES) return problem(installationTexts.disk.full(folder, showBytes(free)))
    return free < LOW_BYTES + databaseBytes
      ? warning(installationTexts.disk.low(folder, showBytes(free)))
      : []
  } catch (error) {
    return problem(installationTexts.disk.missing(folder, reasonOf(error)))
  }
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

const WARNING_MS = 5000
const PROBLEM_MS = 60_000

/** Compares the clock of this machine with every other available clock. */
async function checkClock(installation: Installation): Promise<Finding[]> {
  const clocks = [postgresAhead, redisAhead, addressAhead]
  const found = await Promise.all(
    // Other checks report services that do not answer.
    clocks.map(ahead => ahead(installation).catch(() => null)),
  )
  return found.flatMap(offset => (offset ? judged(offset) : []))
}

interface Offset {
  of: keyof typeof installationTexts.clock.of
  aheadMs: number
}

function judged({ of, aheadMs }: Offset): Finding[] {
  const size = Math.abs(aheadMs)
  if (size < WARNING_MS) return []
  const advice = installationTexts.clock.differs(installationTexts.clock.of[of], Math.round(aheadMs / 1000))
  return size < PROBLEM_MS ? warning(advice) : problem(advice)
}

async function postgresAhead({ database, settings, clock }: Installation): Promise<Offset | null> {
  if (!settings.databaseUrl) return null
  const db = await database()
  const query = sql<{ now: number }>`select extract(epoch from clock_timestamp()) * 1000 as now`
  return {
    of: 'postgres',
    aheadMs: await aheadOf(clock, async () => Number((await query.execute(db)).rows[0]?.now)),
  }
}

async function redisAhead({ redis, clock }: Installation): Promise<Offset | null> {
  const client = await redis()
  if (!client) return null
  const nodes = isCluster(client) ? client.nodes('master') : [client]
  const offsets = await Promise.all(nodes.map(node => aheadOf(clock, () => timeOf(node))))
  const [largest = 0] = offsets.sort((a, b) => Math.abs(b) - Math.abs(a))
  return { of: 'redis', aheadMs: largest }
}

async function timeOf(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Number(micros) / 1000
}

/** The `Date` header has whole seconds: half a second is the mean of the part cut off. */
async function addressAhead({ address, clock }: Installation): Promise<Offset> {
  const read = async () => {
    const time = Date.parse((await address.send('/healthz')).headers.date ?? '')
    if (Number.isNaN(time)) throw new Error('The answer has no date.')
    return time + 500
  }
  return { of: 'address', aheadMs: await aheadOf(clock, read) }
}

async function aheadOf(clock: Clock, read: () => Promise<number>): Promise<number> {
  const before = clock()
  const theirs = await read()
  return theirs - (before + clock()) / 2
}
