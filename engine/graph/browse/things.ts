import { sizeOf } from '../collections/groups.js'
import { findString, placeOf, stringAt } from '../collections/strings.js'
import { Top } from '../collections/top.js'
import { factCount, type SafeIndex } from '../index/safe-index.js'
import { normalizeName } from '../text/text.js'
import { findNames } from './names.js'

export interface ThingsQuery {
  type?: string
  /** Letters at the beginning of a word of a name or an alias. */
  search?: string
  sort: 'name' | 'relations'
  /** The key of the last entity of the previous page. */
  after?: string
  limit: number
}

/** A page of entities. */
interface Things {
  items: ThingRow[]
  hasMore: boolean
  /** Whether more names have the letters than are searched. */
  isCut: boolean
}

export interface ThingRow {
  key: string
  type: string | null
  relations: number
  passages: number
}

/** The entities of a Safe, by name or by number of relations. */
export function things(index: SafeIndex, keys: Keys, query: ThingsQuery): Things {
  const type = query.type === undefined ? null : findString(index.types, normalizeName(query.type))
  const isWanted = (entity: number) =>
    index.isNamed[entity] === 1 && (type === null || index.typeOf[entity] === type)
  const found = query.search === undefined ? null : findNames(index, query.search)
  const order = found ? sortedByKey(index, found.entities) : index.byKey
  const wanted = type === -1 ? new Uint32Array(0) : order
  const page =
    query.sort === 'name'
      ? byName(index, wanted, isWanted, query)
      : byRelations(index, wanted, isWanted, query)
  return {
    items: page.slice(0, query.limit).map(entity => thingRow(index, keys, entity)),
    hasMore: page.length > query.limit,
    isCut: found?.isCut ?? false,
  }
}

/** A thing as lists show it. */
export function thingRow(index: SafeIndex, keys: Keys, entity: number): ThingRow {
  return {
    key: keys.of(entity),
    type: typeName(index, entity),
    relations: factCount(index, entity),
    passages: sizeOf(index.passages.about, entity),
  }
}

/** The type of an entity, or null. */
export function typeName({ types, typeOf }: SafeIndex, entity: number): string | null {
  const type = typeOf[entity] ?? 0
  return type === 0 ? null : stringAt(types, type)
}

function sortedByKey({ entities }: SafeIndex, found: readonly number[]): Uint32Array {
  const named = found.map(entity => ({ entity, key: Buffer.from(stringAt(entities, entity)) }))
  return Uint32Array.from(
    named.sort((a, b) => a.key.compare(b.key)),
    ({ entity }) => entity,
  )
}

type Test = (entity: number) => boolean

/** One more than the page, to know whether there are more. */
function byName(
  { entities }: SafeIndex,
  order: Uint32Array,
  isWanted: Test,
  { after, limit }: ThingsQuery,
): number[] {
  const page: number[] = []
  const start = after === undefined ? 0 : placeOf(entities, order, after, true)
  for (let at = start; at < order.length && page.length <= limit; at++) {
    const entity = order[at] ?? 0
    if (isWanted(entity)) page.push(entity)
  }
  return page
}

/** The best connected first, equally connected ones by name: reads every entity once. */
function byRelations(
  index: SafeIndex,
  order: Uint32Array,
  isWanted: Test,
  { after, limit }: ThingsQuery,
): number[] {
  const last = after === undefined ? -1 : findString(index.entities, after)
  if (after !== undefined && last < 0) return []
  const most = last < 0 ? Number.POSITIVE_INFINITY : factCount(index, last)
  const behind = after === undefined ? 0 : placeOf(index.entities, order, after, true)
  const top = new Top(limit + 1)
  for (let at = 0; at < order.length; at++) {
    const entity = order[at] ?? 0
    const relations = factCount(index, entity)
    const isBehind = relations < most || (relations === most && at >= behind)
    if (isBehind && isWanted(entity)) top.offer(at, relations)
  }
  return top.sorted().map(({ id }) => order[id] ?? 0)
}

/** Turns entities into keys, and remembers for each key the import whose row gives its name. */
export class Keys {
  readonly naming = new Map<string, number>()
  readonly #index: SafeIndex

  constructor(index: SafeIndex) {
    this.#index = index
  }

  of(entity: number): string {
    const key = stringAt(this.#index.entities, entity)
    const importId = this.#index.namedIn[entity] ?? 0
    if (importId > 0) this.naming.set(key, importId)
    return key
  }

  /** The key itself. */
  known(key: string): string {
    const entity = findString(this.#index.entities, key)
    return entity < 0 ? key : this.of(entity)
  }
}
