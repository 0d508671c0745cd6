import type { ActivityKind, ReadPassages, ShownEntry } from '../../../domain/activity/entry.js'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import { showNumber } from '../../../platform/common/format.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { pathWith } from '../list.js'
import type { ListView } from './activity-view.js'
import { detailOf } from './entry-detail.js'
import { type Part, type SentenceName, sentence } from './sentence.js'

/** Entries that are described in one sentence, newest first. */
export type Group = [ShownEntry, ...ShownEntry[]]

/** Kinds that a person should look at. */
export const WARNINGS: readonly ActivityKind[] = [
  'denied',
  'refresh-reused',
  'import-failed',
  'safe-removed',
  'signed-in-new',
  'sign-in-failed',
  'reset-link',
  'password-reset',
]

/** Kinds whose sentence contains their detail. */
const SAID: readonly ActivityKind[] = ['import-failed', 'safe-removed', 'denied']

/** An entry as a sentence, and the details it does not contain. */
export function saysOf(group: Group, view: ListView): { says: Part[]; detail: string | null } {
  const [newest] = group
  const { kind, safe, detail, email } = newest
  const names = {
    assistant: assistantOf(newest, view.path) ?? activityTexts.anAssistant,
    safe: view.showsSafe && safe ? { text: safe.name, href: `/safes/${safe.id}` } : null,
    where: view.showsSafe && safe ? { text: safe.name, href: `/safes/${safe.id}` } : activityTexts.thisSafe,
    who: view.showsAccount ? email : null,
    detail: detail && { text: detail, href: null },
    times: group.length > 1 ? showNumber(group.length) : null,
  }
  if (kind === 'question') return questionsSay(group, names)
  const isSaid = SAID.includes(kind) || kind === 'imported' || kind === 'undone' || kind === 'restored'
  const size = group.reduce(
    (sum, { facts, passages }) => ({ facts: sum.facts + facts, passages: sum.passages + passages }),
    { facts: 0, passages: 0 },
  )
  const sized = { ...newest, ...size }
  const says = sentence(activityTexts.says[kind], names)
  if (!isSaid) return { says, detail: detailOf(sized) }
  return { says, detail: SAID.includes(kind) ? null : activityTexts.counts(size.facts, size.passages) }
}

/** "Claude asked 4 questions in Work notes and read 12 documents." */
function questionsSay(group: Group, names: Readonly<Record<string, Part | null>>) {
  const documents = documentsOf(group)
  const [document = null] = documents
  const facts = group.reduce((sum, entry) => sum + entry.facts, 0)
  const passages = group.reduce((sum, entry) => sum + entry.passages, 0)
  const says = sentence(templateOf(group, documents.length, facts, passages), { ...names, document })
  // A single question is shown itself.
  return { says, detail: group.length === 1 ? null : activityTexts.counts(facts, passages) }
}

function templateOf(group: Group, documents: number, facts: number, passages: number): string {
  const m = activityTexts.story
  const [{ detail }] = group
  const isOne = group.length === 1
  if (facts + passages === 0)
    return isOne && detail === 'overview' ? m.looked : m.asked(group.length) + m.nothing
  if (isOne && documents === 1 && facts === 0)
    return detail === 'document' ? m.readDocument : m.readPassages(passages)
  if (documents === 1) return m.asked(group.length) + m.andDocument
  return m.asked(group.length) + (documents > 1 ? m.andDocuments(documents) : m.andItems(facts + passages))
}

/** The documents that were read, each once. */
function documentsOf(group: Group): SentenceName[] {
  const documents = new Map<string, SentenceName>()
  for (const { read, safe } of group)
    for (const item of read) {
      if (item.length !== 5 || documents.has(item[1])) continue
      documents.set(item[1], documentLink(safe, item))
    }
  return [...documents.values()]
}

/** A passage's title begins with that of its document. */
function documentLink(safe: ShownEntry['safe'], [title, path]: ReadPassages): SentenceName {
  const [text = title] = title.split(' > ', 1)
  return { text, href: safe && documentAddress(`/safes/${safe.id}`, path) }
}

function assistantOf({ kind, assistant, detail }: ShownEntry, path: string): SentenceName | null {
  // A denied assistant has no connection.
  if (kind === 'denied') return { text: detail ?? '', href: null }
  if (!assistant) return null
  const { connectionId, name } = assistant
  return { text: name ?? activityTexts.forgotten, href: pathWith(path, { connection: connectionId }) }
}
