import type { ShownEntry } from '../../../domain/activity/entry.js'
import { EXPORTS } from '../../../domain/safes/exports/export-formats.js'
import { amount } from '../../../domain/safes/size-text.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { safesTexts } from '../../../views/texts/safes.js'

/** Details of an event, in addition to its kind. */
export function detailOf({ kind, detail, facts, passages }: ShownEntry): string | null {
  const m = activityTexts
  switch (kind) {
    case 'question':
      return facts + passages > 0 ? m.counts(facts, passages) : detail === 'overview' ? m.overview : m.nothing
    case 'imported':
    case 'undone':
    case 'restored':
      return `${detail} · ${amount.relations(facts)}, ${amount.passages(passages)}`
    case 'connected':
      return detail && m.returnsTo(detail)
    case 'member-added':
    case 'role-changed':
      return (detail && m.roles[detail]) ?? null
    case 'safe-renamed':
      return detail && m.renamed(detail)
    case 'invited':
      return detail === null ? safesTexts.share.anybody : m.invitedFor(detail)
    case 'exported':
      return m.format(EXPORTS.find(({ id }) => id === detail)?.title ?? detail ?? '')
    case 'signed-in':
    case 'signed-in-new':
    case 'sign-in-failed':
    case 'password-changed':
      return detail && m.from(detail)
    case 'proposed':
      return [amount.relations(facts), detail].filter(Boolean).join(' · ')
    case 'proposal-rejected':
      return null
    case 'denied':
      return null
    default:
      return detail
  }
}
