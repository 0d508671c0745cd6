import type { BrowsedRelation, ThingPage as Thing } from '../../../domain/safes/browse/browse.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { pathWith } from '../list.js'
import { browsePath } from '../safes/safe-links.js'
import { linkTo, type ThingLink } from './thing-link.js'

/** The relations of one kind that a thing has. */
interface RelationGroup {
  predicate: string
  /** Whether the relations lead to the thing. */
  isIncoming: boolean
  href: string
  rows: RelationTableRow[]
  /** All relations of this group, if they are not all shown. */
  all: ThingLink | null
}

/** A row of the table: a relation, or superseded ones. */
type RelationTableRow = TableRelation & { earlier: null | { label: string; relations: TableRelation[] } }

interface TableRelation {
  other: ThingLink
  /** Its period, as text. */
  times: string
  sources: ThingLink[]
  /** For owners: link to the confirmation of its removal. */
  remove: string
}

/** The first relations of one kind, and a link to the others. */
export function relationGroup(safePath: string, key: string, kind: Thing['kinds'][number]): RelationGroup {
  const { predicate, direction, count, relations } = kind
  const isIncoming = direction === 'in'
  const all = browsePath(safePath, { relation: predicate, of: key, direction })
  return {
    predicate: relations[0]?.predicate ?? predicate,
    isIncoming,
    href: browsePath(safePath, { relation: predicate }),
    rows: rowsOf(relations, ({ subject, predicate, object, times, sources }) => ({
      other: linkTo(safePath, isIncoming ? subject : object),
      times,
      remove: pathWith(`${safePath}/removed`, { subject: subject.name, predicate, object: object.name }),
      sources: sources.map(source => ({ name: source, href: browsePath(safePath, { source }) })),
    })),
    all: count > relations.length ? { name: thingsTexts.thing.allOfKind(count), href: all } : null,
  }
}

/** Superseded ones come last, in one row. */
function rowsOf(
  relations: readonly BrowsedRelation[],
  rowOf: (relation: BrowsedRelation) => TableRelation,
): RelationTableRow[] {
  const rows = relations.filter(({ isSuperseded }) => !isSuperseded).map(rowOf)
  const earlier = relations.filter(({ isSuperseded }) => isSuperseded).map(rowOf)
  const [first] = earlier
  const shown = rows.map(row => ({ ...row, earlier: null }))
  if (!first) return shown
  return [
    ...shown,
    { ...first, earlier: { label: thingsTexts.thing.earlier(earlier.length), relations: earlier } },
  ]
}
