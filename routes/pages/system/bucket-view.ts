import type { FastifyInstance } from 'fastify'
import { showBytes, showTime } from '../../../platform/common/format.js'
import { backupsTexts } from '../../../views/texts/backups.js'
import type { Backup } from './backups-view.js'

/** The bucket that backups are copied to. */
interface BucketView {
  /** Its contents, or why it cannot be read. */
  state: string
  isReadable: boolean
  /** Copies of backups that are not here. */
  elsewhere: { time: string; facts: string; action: string }[]
}

const m = backupsTexts

/** @returns null if backups are not copied */
export async function bucketOf(
  { backups, config }: FastifyInstance,
  here: Backup[],
): Promise<BucketView | null> {
  const address = config.backupBucket
  if (!address) return null
  const place = `${address.endpoint}/${address.prefix}`
  try {
    const copies = (await backups.copies()) ?? []
    const [newest] = copies
    const elsewhere = copies.filter(({ name }) => !here.some(backup => backup.name === name))
    return {
      state: newest ? m.copies(copies.length, place, showTime(newest.at)) : m.noCopies(place),
      isReadable: true,
      elsewhere: elsewhere.map(({ name, at, bytes }) => ({
        time: showTime(at),
        facts: [showBytes(bytes), name].join(' · '),
        action: `/system/backups/${name}/bring`,
      })),
    }
  } catch (error) {
    return { state: m.noBucket(place, (error as Error).message), isReadable: false, elsewhere: [] }
  }
}
