import type {
  BrowseKind,
  BrowseKinds,
  BrowseQuery,
  KindOfRelations,
  PassagesFound,
  PassagesQuery,
  Related,
  RelationsQuery,
  RowRef,
  Thing,
  ThingRow,
  ThingsQuery,
} from '../../../engine/graph/index.js'
import { Part } from '../../part.js'
import { distinctNames } from '../ask/distinct-names.js'
import { beginningOf } from '../ask/excerpt.js'
import { factTimesText, shownTimes } from '../ask/fact-times-text.js'
import type { RowReader } from '../ask/hot-rows.js'
import { timeText } from '../ask/time-text.js'
import type { SafesShared } from '../dependencies.js'
import { requireReader } from '../membership.js'
import { passageId } from '../passage-id.js'
import type { CommittedImports } from '../stores/types.js'

/** A thing as pages show it: the key is its address, the name is its label. */
export interface NamedThing {
  key: string
  name: string
}

export type BrowsedThing = NamedThing & Omit<ThingRow, 'key'>

export interface BrowsedRelation {
  subject: NamedThing
  predicate: string
  object: NamedThing
  /** Its period and the day it was learned, as text; empty if unknown. */
  times: string
  /** Whether it was replaced by a newer relation (ADR 55). */
  isSuperseded: boolean
  /** Names of the imports that state it. */
  sources: string[]
}

export interface BrowsedPassage {
  /** As in answers, such as "p3.12". */
  id: string
  about: NamedThing
  title: string
  /** Shortened. */
  text: string
  time: string | null
  source: string
}

interface List<Item> {
  items: Item[]
  hasMore: boolean
}

export interface ThingPage
  extends NamedThing,
    Pick<Thing, 'type' | 'relationCount' | 'moreKinds' | 'chords' | 'otherNeighbours' | 'aboutCount'> {
  kinds: (Omit<KindOfRelations, 'relations'> & { relations: BrowsedRelation[] })[]
  neighbours: (NamedThing & Omit<Thing['neighbours'][number], 'key'>)[]
  aliases: string[]
  /** Things that were merged into it (ADR 56). */
  merged: NamedThing[]
  about: List<BrowsedPassage>
  mentions: List<BrowsedPassage>
}

/** The results, and how to show them. */
interface Seen<Kind extends BrowseKind> {
  found: BrowseKinds[Kind]['found']
  committed: CommittedImports
  reader: RowReader
  named(key: string): NamedThing
}

/** Maximum characters of a passage in a list. */
const EXCERPT = 600
/** Maximum things whose other names are read: one and those merged into it. */
const MAX_WITH_ALIASES = 10

/**
 * Browsing a Safe, for pages. Every method takes the calling account, throws `notFound` for Safes that it
 * may not read, and takes bounded time, regardless of the size of the Safe.
 */
export class Browse extends Part<Pick<SafesShared, 'safes' | 'contents' | 'indexes' | 'rows'>> {
  /** The types, predicates and best connected things: `limit` of each. */
  async contents(accountId: string, safeId: string, limit: number) {
    const { found, named } = await this.#browse<'contents'>(accountId, safeId, { kind: 'contents', limit })
    const hubs = found.hubs.filter(({ degree }) => degree > 0)
    return { ...found, hubs: hubs.map(({ name, degree }) => ({ ...named(name), count: degree })) }
  }

  /** A page of things, by name or by number of relations. */
  async things(accountId: string, safeId: string, asked: ThingsQuery) {
    const { found, named } = await this.#browse<'things'>(accountId, safeId, { kind: 'things', ...asked })
    return { ...found, items: found.items.map((row): BrowsedThing => ({ ...row, ...named(row.key) })) }
  }

  /**
   * The things that files with this name added, by key; null when there is no such file, or it was merged with
   * others (ADR 31).
   */
  async thingsFrom(
    accountId: string,
    safeId: string,
    asked: { source: string; after?: string; limit: number },
  ): Promise<List<NamedThing & { type: string | null }> | null> {
    const { safes, contents } = this.dependencies
    await requireReader(safes, accountId, safeId)
    const imports = await contents.importsFrom(safeId, asked.source)
    if (imports.length === 0) return null
    const pages = await Promise.all(
      imports.map(importId => contents.entitiesIn(safeId, importId, asked.after ?? '', asked.limit + 1)),
    )
    // The name from the newest of these files.
    const byKey = new Map(pages.toReversed().flatMap(rows => rows.map(row => [row.key, row])))
    const rows = [...byKey.values()].sort((a, b) => Buffer.from(a.key).compare(Buffer.from(b.key)))
    const items = rows.slice(0, asked.limit).map(({ key, name, type }) => ({ key, name, type }))
    return { items, hasMore: rows.length > asked.limit }
  }

  /** At most `limit` things with a word in their name that begins with these letters, the likeliest first. */
  async suggest(accountId: string, safeId: string, text: string, limit: number): Promise<BrowsedThing[]> {
    const { found, named } = await this.#browse<'names'>(accountId, safeId, { kind: 'names', text, limit })
    return found.map(row => ({ ...row, ...named(row.key) }))
  }

  /** The relations with a predicate, of the whole Safe or of one thing. */
  async relations(accountId: string, safeId: string, asked: RelationsQuery) {
    const seen = await this.#browse<'relations'>(accountId, safeId, { kind: 'relations', ...asked })
    const { items } = seen.found
    const last = items.at(-1)
    const read = await readRelations(seen, items)
    return {
      ...seen.found,
      items: [...read.values()],
      last: last ? ([last.subject, last.object, last.period] as const) : null,
    }
  }

  /** Passages in the order in which they were added: all, those about a thing, or those that mention it. */
  async passages(
    accountId: string,
    safeId: string,
    asked: PassagesQuery,
  ): Promise<List<BrowsedPassage> & { last: string | null }> {
    const seen = await this.#browse<'passages'>(accountId, safeId, { kind: 'passages', ...asked })
    const last = seen.found.items.at(-1)?.ref
    return { ...(await readPassages(seen, seen.found)), last: last ? idOf(last) : null }
  }

  /** The thing with this key or name, or the things that could be meant. */
  async thing(
    accountId: string,
    safeId: string,
    name: string,
  ): Promise<ThingPage | { key: null; alike: NamedThing[]; exact: boolean }> {
    const seen = await this.#browse<'thing'>(accountId, safeId, { kind: 'thing', name })
    const { found, named, committed } = seen
    if (found.key === null) return { ...found, alike: found.alike.map(named) }
    const { contents } = this.dependencies
    const all = found.kinds.flatMap(({ relations }) => relations)
    const merged = new Map(found.merged.map(({ key, importId }) => [key, importId]))
    const keys = [found.key, ...merged.keys()].slice(0, MAX_WITH_ALIASES)
    const [relations, mergedNames, aliases, about, mentions] = await Promise.all([
      readRelations(seen, all),
      seen.reader.names(merged),
      Promise.all(keys.map(key => contents.aliases(safeId, committed.ranges, key))),
      readPassages(seen, found.about),
      readPassages(seen, found.mentions),
    ])
    return {
      ...found,
      ...named(found.key),
      kinds: found.kinds.map(kind => ({
        ...kind,
        relations: kind.relations.flatMap(relation => relations.get(relation) ?? []),
      })),
      neighbours: found.neighbours.map(neighbour => ({ ...neighbour, ...named(neighbour.key) })),
      aliases: [...new Set(aliases.flat())],
      merged: [...merged.keys()].map(key => ({ key, name: mergedNames.get(key) ?? key })),
      about,
      mentions,
    }
  }

  /** The thing with this key and two rings of its neighbourhood, for a picture; null if there is none. */
  async around(accountId: string, safeId: string, key: string) {
    const { found, named } = await this.#browse<'around'>(accountId, safeId, { kind: 'around', key })
    if (found === null) return null
    const neighbours = found.neighbours.map(neighbour => ({ ...neighbour, ...named(neighbour.key) }))
    return { ...found, ...named(found.key), neighbours }
  }

  /** The shortest paths from a thing to another one, given by key, name or alias. */
  async path(accountId: string, safeId: string, from: string, to: string) {
    const { found, named } = await this.#browse<'path'>(accountId, safeId, { kind: 'path', from, to })
    const paths = found.paths.map(({ things, steps }) => ({
      things: things.map(({ key, type }) => ({ ...named(key), type })),
      steps,
    }))
    return { ...found, paths, alike: found.alike?.map(named) ?? null }
  }

  async #browse<Kind extends BrowseKind>(
    accountId: string,
    safeId: string,
    asked: BrowseQuery<Kind>,
  ): Promise<Seen<Kind>> {
    const { safes, indexes, rows } = this.dependencies
    const { version } = await requireReader(safes, accountId, safeId)
    const content = await indexes.get(safeId, version, accountId)
    const { committed } = content
    const { found, naming } = await content.browse(asked, accountId)
    // An older index may refer to imports that were undone since, so rows are read as of the newest version.
    const reader = rows.of(safeId, Math.max(version, committed.version))
    const names = distinctNames(await reader.names(naming))
    const named = (key: string) => ({ key, name: names.get(key) ?? key })
    return { found, committed, reader, named }
  }
}

/** Relations of imports that were undone since have no source and are left out. */
async function readRelations(
  { reader, named }: Seen<BrowseKind>,
  found: readonly Related[],
): Promise<Map<Related, BrowsedRelation>> {
  const refs = found.flatMap(({ rows }) => rows)
  const [sources, rows] = await Promise.all([
    reader.sources(refs.map(({ importId }) => importId)),
    reader.relations(refs),
  ])
  const rowOf = new Map(rows.map(row => [idOf(row), row]))
  const read = new Map<Related, BrowsedRelation>()
  for (const relation of found) {
    const stated = relation.rows.flatMap(ref => {
      const [row, source] = [rowOf.get(idOf(ref)), sources.get(ref.importId)]
      return row && source !== undefined ? [{ row, source: row.origin ?? source }] : []
    })
    const [first] = stated
    if (!first) continue
    const times = shownTimes(
      relation.period,
      stated.map(({ row }) => row),
    )
    read.set(relation, {
      subject: named(relation.subject),
      predicate: first.row.predicate,
      object: named(relation.object),
      times: factTimesText(times),
      isSuperseded: times.superseded === true,
      sources: [...new Set(stated.map(({ source }) => source))],
    })
  }
  return read
}

const idOf = ({ importId, id }: RowRef) => `${importId}.${id}`

async function readPassages(
  { reader, named }: Seen<BrowseKind>,
  { items, hasMore }: PassagesFound,
): Promise<List<BrowsedPassage>> {
  const refs = items.map(({ ref }) => ref)
  const [sources, rows] = await Promise.all([
    reader.sources(refs.map(({ importId }) => importId)),
    reader.passages(refs),
  ])
  const rowOf = new Map(rows.map(row => [idOf(row), row]))
  const read = items.flatMap(({ ref, key }): BrowsedPassage[] => {
    const row = rowOf.get(idOf(ref))
    const source = sources.get(ref.importId)
    if (!row || source === undefined) return []
    return [
      {
        id: passageId(ref),
        about: named(key),
        title: row.title,
        text: beginningOf(row.text, EXCERPT),
        time: row.time === null ? null : timeText(row.time),
        source: row.source ?? row.origin ?? source,
      },
    ]
  })
  return { items: read, hasMore }
}
