import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { EntryList } from '../../../domain/activity/activity.js'
import type { ShownEntry } from '../../../domain/activity/entry.js'
import { unverifiedName } from '../../../domain/activity/unverified-name.js'
import { guarded } from '../../../engine/formats/index.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { detailOf } from './entry-detail.js'

const HEADER = [
  'time',
  'account',
  'what',
  'assistant',
  'safe',
  'question',
  'facts',
  'passages',
  'detail',
  'read',
]

/** RFC 4180 §2. */
const FORMAT = { record_delimiter: 'windows' } as const

/** Sends all entries of a list as a file. `read`: a page of the list, from an entry on. @throws what its first page throws */
export async function sendCsv(reply: FastifyReply, read: (after?: string) => Promise<EntryList>) {
  const first = await read()
  return reply
    .header('Content-Type', 'text/csv; charset=utf-8')
    .header('Content-Disposition', 'attachment; filename="activity.csv"')
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .send(Readable.from(activityCsv(first, read), { objectMode: false, highWaterMark: 65_536 }))
}

/**
 * All entries of a list as CSV, read page by page. Cells that a spreadsheet would run as formulas begin with an
 * apostrophe.
 */
async function* activityCsv(
  first: EntryList,
  read: (after: string) => Promise<EntryList>,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  yield stringify([HEADER, ...first.entries.map(rowOf)], FORMAT)
  for (let { next } = first; next !== null; ) {
    const page = await read(next)
    yield stringify(page.entries.map(rowOf), FORMAT)
    next = page.next
  }
}

/** The name of an assistant, with a mark if it is unverified. */
function nameOf(assistant: ShownEntry['assistant']): string | null {
  if (!assistant?.name || assistant.isVerified) return assistant?.name ?? null
  return unverifiedName(assistant.name)
}

function rowOf(entry: ShownEntry): string[] {
  const { at, email, kind, assistant, safe, question, facts, passages, read } = entry
  return [
    new Date(at).toISOString(),
    email,
    activityTexts.kinds[kind],
    (kind === 'denied' ? entry.detail : nameOf(assistant)) ?? '',
    safe?.name ?? '',
    question ?? '',
    `${facts}`,
    `${passages}`,
    kind === 'question' ? '' : (detailOf(entry) ?? ''),
    read.map(item => (item.length === 5 ? item[0] : item.join(' '))).join('; '),
  ].map(guarded)
}
