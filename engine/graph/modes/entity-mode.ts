import { stringAt } from '../collections/strings.js'
import type { SafeIndex } from '../index/safe-index.js'
import { nearestKeys, type QuestionName } from '../retrieval/find-entity.js'
import { linkPredicate } from '../retrieval/mere-links.js'
import {
  type Hit,
  keysOf,
  linkTo,
  type PageRange,
  pageOf,
  placedPage,
  type Ranking,
  rankingOf,
} from '../retrieval/ranking.js'
import type { EntityCounts } from '../retrieval/summary.js'
import { isLimited, type TimeRange } from '../retrieval/time-range.js'
import { type EntityView, factAt, MAX_TIMES, viewEntity } from './entity-view.js'
import { otherMeanings } from './exact-modes.js'

/** Kinds of relations in the summary. */
const MAX_KINDS = 30
const MAX_ENTITIES = 10
/** Meanings of one name shown side by side. */
const MAX_MEANINGS = 8
/** Facts and passages of each of several entities. */
const MAX_OF_EACH = 100
/** Facts per passage, while an entity has both. */
const FACTS_PER_PASSAGE = 3

/** An entity to describe, and the name that refers to it. */
interface DescribedEntity {
  text: string
  view: EntityView
}

/**
 * Mode `entity` (GRAPH §4): the kinds of an entity's relations with their counts, and its facts and passages
 * page by page. Several names are described one by one, and so are the meanings of an ambiguous name. Unknown
 * names are reported.
 */
export function entityRanking(
  index: SafeIndex,
  names: readonly QuestionName[],
  page: PageRange & TimeRange,
): Ranking {
  const unmatched = names.filter(({ entities }) => entities.length === 0).map(({ text }) => text)
  const [only] = names
  const chosen = names.flatMap(({ text, entities, equal }) =>
    entities
      .slice(0, only && names.length === 1 ? Math.min(equal, MAX_MEANINGS) : 1)
      .map(entity => ({ text, entity })),
  )
  const meant = chosen.map(({ entity }) => entity)
  const times = Math.ceil(MAX_TIMES / Math.max(1, chosen.length))
  const view = (entity: number): EntityView => viewEntity(index, entity, page, times)
  const areMeanings = names.length === 1 && chosen.length > 1
  const subjects = [...new Map(chosen.map(({ text, entity }) => [entity, text]))].map(([entity, text]) => ({
    text,
    view: areMeanings ? withoutMentions(view(entity)) : view(entity),
  }))
  const [subject] = subjects
  return rankingOf(index, 'entity', {
    unmatched,
    nearest: nearestKeys(index, unmatched),
    linked: subjects.map(({ text, view }) => linkTo(index, text, view.entity)),
    alsoMeant: otherMeanings(index, names, meant),
    ...(subject && subjects.length === 1 ? ofOne(index, subject, page) : {}),
    ...(subjects.length > 1 ? ofSeveral(index, subjects, page, areMeanings) : {}),
  })
}

/** A mention of an ambiguous name does not identify the entity. */
const withoutMentions = (view: EntityView): EntityView => ({ ...view, mentionedIn: [] })

/** Only the facts of the page are looked up, however many there are. */
function ofOne(
  index: SafeIndex,
  { view }: DescribedEntity,
  { limit, offset, ...range }: PageRange & TimeRange,
): Partial<Ranking> {
  const total = sizeOf(view)
  const itemAt = placesOf(index, view)
  const found: Hit[] = []
  for (let place = offset; place < Math.min(total, offset + limit); place++) {
    found.push({ ...itemAt(place), score: total - place })
  }
  return {
    ...pageOf(index, found),
    entities: keysOf(index, [view.entity, ...view.neighbours]).slice(0, MAX_ENTITIES),
    total,
    // The summary would cover everything.
    summary:
      offset > 0 || isLimited(range)
        ? null
        : { kind: 'entity', ...countsOf(index, view), ...relationsOf(index, view) },
  }
}

/**
 * One passage about each entity first, because it describes the entity, then the rest: for meanings the likeliest
 * first, for several names in turns.
 */
function ofSeveral(
  index: SafeIndex,
  subjects: readonly DescribedEntity[],
  { limit, offset, ...range }: PageRange & TimeRange,
  areMeanings: boolean,
): Partial<Ranking> {
  const entities = subjects.map(({ view }) => view.entity)
  const lists = subjects.map(({ view }) => {
    const itemAt = placesOf(index, view)
    return Array.from({ length: Math.min(MAX_OF_EACH, sizeOf(view)) }, (_, place) => itemAt(place))
  })
  const first = subjects.flatMap(({ view }) =>
    Array.from(view.passages.subarray(0, 1), id => ({ fact: false, id })),
  )
  const all = distinct([...first, ...(areMeanings ? lists.flat() : byTurns(lists))])
  return {
    ...placedPage(index, all, { limit, offset }),
    entities: keysOf(index, entities),
    total: all.length,
    summary:
      offset > 0 || isLimited(range)
        ? null
        : { kind: 'entities', entities: subjects.map(({ view }) => countsOf(index, view)) },
  }
}

type Item = Pick<Hit, 'fact' | 'id'>

function byTurns(lists: readonly Item[][]): Item[] {
  const longest = Math.max(...lists.map(list => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap(list => list[turn] ?? [])).flat()
}

function distinct(items: readonly Item[]): Item[] {
  return [...new Map(items.map(item => [`${item.fact} ${item.id}`, item])).values()]
}

function sizeOf({ kinds, passages, mentionedIn }: EntityView): number {
  return kinds.reduce((sum, { count }) => sum + count, 0) + passages.length + mentionedIn.length
}

/**
 * Returns the fact or passage at a place. For a note its text comes first; mere links and passages that
 * mention it come last, because a bare name asks for the note's content.
 */
function placesOf(index: SafeIndex, view: EntityView): (place: number) => Item {
  const links = linkPredicate(index)
  const mere = view.kinds.filter(({ predicate }) => predicate === links)
  if (mere.length === 0) return place => mixedAt(index, view, place)
  const [first] = view.passages
  const kinds = view.kinds.filter(({ predicate }) => predicate !== links)
  const body = { ...view, kinds, passages: view.passages.subarray(1), mentionedIn: [] }
  const linked = { ...view, kinds: mere, passages: view.passages.subarray(0, 0) }
  const [start, size] = [first === undefined ? 0 : 1, sizeOf(body)]
  return place => {
    if (first !== undefined && place === 0) return { fact: false, id: first }
    const behind = place - start - size
    return behind < 0 ? mixedAt(index, body, place - start) : mixedAt(index, linked, behind)
  }
}

/** The fact or passage at a place of the mixed list. */
function mixedAt(index: SafeIndex, view: EntityView, place: number): Item {
  const { passages, mentionedIn } = view
  const facts = sizeOf(view) - passages.length - mentionedIn.length
  const { fact, at } = mixed(facts, passages.length + mentionedIn.length, place)
  if (fact) return { fact, id: factAt(index, view, at) }
  return { fact, id: passages[at] ?? mentionedIn[at - passages.length] ?? 0 }
}

/** The item at a place in a list that mixes in a passage after every few facts, until one kind runs out. */
function mixed(facts: number, passages: number, place: number): { fact: boolean; at: number } {
  const block = FACTS_PER_PASSAGE + 1
  const blocks = Math.min(Math.floor(facts / FACTS_PER_PASSAGE), passages)
  if (place < blocks * block) {
    const [nth, inside] = [Math.floor(place / block), place % block]
    if (inside < FACTS_PER_PASSAGE) return { fact: true, at: nth * FACTS_PER_PASSAGE + inside }
    return { fact: false, at: nth }
  }
  const left = place - blocks * block
  const factsLeft = facts - blocks * FACTS_PER_PASSAGE
  if (left < factsLeft) return { fact: true, at: blocks * FACTS_PER_PASSAGE + left }
  return { fact: false, at: blocks + left - factsLeft }
}

function countsOf(index: SafeIndex, view: EntityView): EntityCounts {
  const type = stringAt(index.types, index.typeOf[view.entity] ?? 0)
  return {
    name: stringAt(index.entities, view.entity),
    type: type === '' ? null : type,
    facts: view.factCount,
    passages: view.passages.length,
    mentions: view.mentionedIn.length,
  }
}

function relationsOf({ predicates }: SafeIndex, { kinds }: EntityView) {
  return {
    relations: kinds.slice(0, MAX_KINDS).map(({ predicate, outgoing, count }) => ({
      predicate: stringAt(predicates, predicate),
      direction: outgoing ? ('out' as const) : ('in' as const),
      count,
    })),
    moreRelations: Math.max(0, kinds.length - MAX_KINDS),
  }
}
