import { Type } from '@sinclair/typebox'
import type { Schedule } from '../../storage/backup/scheduled-backups.js'
import { text, type ValuesOf } from './setting.js'

/** The backups that the server makes by itself. */
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
  BACKUP_DOWNLOAD: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description:
      'Lets administrators download backups, in which they could read every Safe (docs/decisions/0090). Their password is asked for.',
    expected: 'on or off',
  }),
}

export interface BackupConfig {
  /** Where and when the server makes backups by itself, or null. */
  backups: Schedule | null
  /** Whether administrators can download backups. */
  hasBackupDownload: boolean
}

/** Reads the settings of this topic. */
export function readBackups(settings: ValuesOf<typeof BACKUP_SETTINGS>): BackupConfig {
  const { BACKUP_DIR: folder, BACKUP_EVERY: every, BACKUP_KEEP: keep } = settings
  return {
    backups: folder ? { folder, everyMs: inMs(every), keep } : null,
    hasBackupDownload: settings.BACKUP_DOWNLOAD === 'on',
  }
}

const HOUR_MS = 3_600_000

/** Of a number of hours or days. */
const inMs = (text: string) => Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1) * HOUR_MS
