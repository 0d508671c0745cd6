import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { HOUR_MS } from '../../../platform/common/durations.js'
import { showBytes, showNumber, showTime } from '../../../platform/common/format.js'
import { backupsTexts } from '../../../views/texts/backups.js'
import type { SystemFact } from './system-facts.js'

type Backups = FastifyInstance['backups']
export type Backup = ReturnType<Backups['list']>[number]
type Manifest = Awaited<ReturnType<Backups['manifestOf']>>
type Schedule = NonNullable<FastifyInstance['config']['backups']>

interface BackupRow {
  time: string
  href: string
  facts: string
}

const m = backupsTexts

/** A backup as a row of the list. */
export function backupRow({ name, at, bytes, kind }: Backup): BackupRow {
  const facts = [m.kinds[kind], showBytes(bytes), name].join(' · ')
  return { time: showTime(at), href: `/system/backups/${name}`, facts }
}

/** When the server makes automatic backups, and where. */
export function scheduleOf(
  { folder, everyMs, keep }: Schedule,
  backups: Backup[],
  now: number,
): SystemFact[] {
  const newest = backups.find(({ kind }) => kind === 'made')
  const next = newest ? newest.at + everyMs : now
  return [
    { name: m.every, value: m.hours(everyMs / HOUR_MS) },
    { name: m.folder, value: resolve(folder) },
    { name: m.keep, value: m.newest(keep) },
    { name: m.next, value: next <= now ? m.nextSoon : showTime(next) },
  ]
}

/** The contents of a backup; null for a file without a list of them. */
export function contentsOf({ at, bytes, kind }: Backup, manifest: Manifest): SystemFact[] | null {
  if (!manifest) return null
  const rows = new Map(manifest.tables.map(({ table, rows }) => [table as string, rows]))
  const counted = (['accounts', 'safes', 'documents', 'entities', 'relations', 'passages'] as const).filter(
    table => rows.has(table),
  )
  return [
    { name: m.facts.made, value: showTime(manifest.createdAt || at) },
    { name: m.facts.kind, value: m.kinds[kind] },
    { name: m.facts.size, value: showBytes(bytes) },
    { name: m.facts.version, value: manifest.version },
    ...counted.map(table => ({ name: m.facts[table], value: showNumber(rows.get(table) ?? 0) })),
  ]
}

/** The text about the last requested restore. */
export function lastRestoreOf(last: ReturnType<Backups['lastRestore']>) {
  if (!last) return null
  const { name, restored, before, refused } = last
  if (restored !== null)
    return {
      isGood: true,
      sentences: [m.lastDone(name, showTime(restored)), ...(before ? [m.lastBefore(before)] : [])],
    }
  if (refused !== null) return { isGood: false, sentences: [m.lastRefused(name), refused] }
  return { isGood: false, sentences: [m.lastInterrupted(name)] }
}
