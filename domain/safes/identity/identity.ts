import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type PossibleDuplicate as FoundDuplicate, normalizeName } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { newId } from '../../../platform/common/secrets.js'
import { Part } from '../../part.js'
import { distinctNames } from '../ask/distinct-names.js'
import type { Browse, BrowsedThing, NamedThing, ThingPage } from '../browse/browse.js'
import type { SafesShared } from '../dependencies.js'
import { safeErrors } from '../errors.js'
import { requireOwner } from '../membership.js'
import type { Import, ImportOptions } from '../safe.js'
import type { KeyPair } from '../stores/decisions.sql.js'
import { mergeFile, nameFile, splitFile } from './identity-file.js'

/** Two things that may be the same. */
export interface Duplicate extends Pick<FoundDuplicate, 'how' | 'commonCount'> {
  /** The one with more relations. */
  one: BrowsedThing
  other: BrowsedThing
  /** Some of the things related to both. */
  common: NamedThing[]
}

interface DuplicatesList {
  items: Duplicate[]
  /** Their number; at most 500 are found at once. */
  total: number
}

type IdentityDependencies = Pick<SafesShared, 'safes' | 'decisions' | 'indexes' | 'rows'> & {
  browse: Browse
  import: (ownerId: string, safeId: string, options: ImportOptions) => Promise<Import>
}

/** Maximum duplicates found at once, and maximum Safes whose duplicates are cached. */
const FOUND = 500
const REMEMBERED = 20

/** The duplicates of a Safe at a version. */
interface Search {
  version: number
  found: Promise<Duplicate[]>
  /** The result, or, while the search runs, the previous result. */
  latest: Duplicate[] | null
}

/**
 * Names of the same thing (ADR 56). Nothing merges automatically: every merge is a small import, made by an owner,
 * that can be undone. Every method throws `notFound` for non-members and 403 for readers.
 */
export class Identity extends Part<IdentityDependencies> {
  readonly #searches = new LRUCache<string, Search>({ max: REMEMBERED })

  /**
   * Likely duplicates, the likeliest first. If the search takes longer than `patienceMs`, it continues, and the result
   * for an earlier version is returned, or null.
   * @throws Unavailable
   */
  async duplicates(
    ownerId: string,
    safeId: string,
    { from = 0, limit, patienceMs }: { from?: number; limit: number; patienceMs?: number },
  ): Promise<DuplicatesList | null> {
    const { safes, decisions } = this.dependencies
    const { version } = await requireOwner(safes, ownerId, safeId)
    const search = this.#search(ownerId, safeId, version)
    const late = patienceMs === undefined ? [] : [pause(patienceMs, null, { ref: false })]
    const found = (await Promise.race([search.found, ...late])) ?? search.latest
    if (!found) return null
    const apart = new Set((await decisions.apart(safeId)).map(pair => pair.join('\0')))
    const left = found.filter(({ one, other }) => !apart.has(pairOf(one.key, other.key).join('\0')))
    return { items: left.slice(from, from + limit), total: left.length }
  }

  /** Merges two things under the name of the first. @throws 404 or 409 unless the names are of two things */
  async merge(ownerId: string, safeId: string, into: string, from: string): Promise<Import> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    const [one, other] = await this.#things(ownerId, safeId, into, from)
    const added = await this.#add(ownerId, safeId, mergeFile(one, other, newId()))
    const search = this.#searches.peek(safeId)
    const isLeft = (pair: Duplicate) => pair.one.key !== other.key && pair.other.key !== other.key
    if (search?.latest) search.latest = search.latest.filter(isLeft)
    return added
  }

  /**
   * Splits a thing from the one that it was merged into, or, given the name of the latter, splits all of them.
   * @throws 404 or 409 when there is nothing to split
   */
  async split(ownerId: string, safeId: string, name: string): Promise<Import> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    const thing = await this.#thing(ownerId, safeId, name)
    if (thing.merged.length === 0) throw safeErrors.notMerged(thing.name)
    const key = normalizeName(name)
    const [one] = thing.merged.filter(merged => merged.key === key || normalizeName(merged.name) === key)
    const apart = one ? [one] : thing.merged
    return this.#add(ownerId, safeId, splitFile(apart, thing, newId()))
  }

  /** Renames a thing. @throws 409 if it already has that name */
  async addName(ownerId: string, safeId: string, name: string, other: string): Promise<Import> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    const thing = await this.#thing(ownerId, safeId, name)
    const written = other.replace(/\s+/g, ' ').trim()
    if (written === '') throw safeErrors.noName()
    const names = [thing.name, ...thing.aliases, ...thing.merged.map(merged => merged.name)]
    if (names.includes(written)) throw safeErrors.hasName(thing.name, written)
    return this.#add(ownerId, safeId, nameFile(thing, written, newId()))
  }

  /** Remembers that two things are different, so that they are not suggested again. */
  async keepApart(ownerId: string, safeId: string, key: string, other: string): Promise<void> {
    const { safes, decisions } = this.dependencies
    await requireOwner(safes, ownerId, safeId)
    const [one, another] = await this.#things(ownerId, safeId, key, other)
    if (!(await decisions.keepApart(safeId, pairOf(one.key, another.key)))) throw safeErrors.tooManyApart()
  }

  /** Forgets that two things are different. */
  async offerAgain(ownerId: string, safeId: string, key: string, other: string): Promise<void> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    await this.dependencies.decisions.allow(safeId, pairOf(normalizeName(key), normalizeName(other)))
    this.#searches.delete(safeId)
  }

  /** One search at a time per Safe; it serves all pages until the Safe changes. */
  #search(ownerId: string, safeId: string, version: number): Search {
    const known = this.#searches.get(safeId)
    if (known && known.version >= version) return known
    const search: Search = { version, found: this.#find(ownerId, safeId), latest: known?.latest ?? null }
    this.#searches.set(safeId, search)
    search.found.then(
      found => {
        search.latest = found
      },
      () => {
        if (this.#searches.peek(safeId) === search) this.#searches.delete(safeId)
      },
    )
    return search
  }

  async #find(ownerId: string, safeId: string): Promise<Duplicate[]> {
    const { decisions, indexes, rows } = this.dependencies
    const apart = await decisions.apart(safeId)
    const query = { apart, limit: FOUND }
    const { committed, found, naming } = await indexes.duplicates(safeId, query, ownerId)
    const names = distinctNames(await rows.of(safeId, committed.version).names(naming))
    const named = (key: string) => ({ key, name: names.get(key) ?? key })
    return found.map(({ one, other, how, common, commonCount }) => ({
      one: { ...one, ...named(one.key) },
      other: { ...other, ...named(other.key) },
      how,
      common: common.map(named),
      commonCount,
    }))
  }

  /** Two things. @throws 409 if they are one */
  async #things(ownerId: string, safeId: string, name: string, other: string) {
    const things = [
      await this.#thing(ownerId, safeId, name),
      await this.#thing(ownerId, safeId, other),
    ] as const
    if (things[0].key === things[1].key) throw safeErrors.alreadyOne(things[0].name)
    return things
  }

  /** The thing with this key or name. Its name is without the key that distinguishes it from others of the same name. */
  async #thing(ownerId: string, safeId: string, name: string): Promise<ThingPage> {
    const found = await this.dependencies.browse.thing(ownerId, safeId, name)
    if (found.key === null && found.exact)
      throw safeErrors.severalThings(
        name,
        found.alike.map(({ key }) => key),
      )
    if (found.key === null) throw notFound('thing')
    const behind = ` (${found.key})`
    return { ...found, name: found.name.endsWith(behind) ? found.name.slice(0, -behind.length) : found.name }
  }

  async #add(ownerId: string, safeId: string, options: ImportOptions): Promise<Import> {
    const added = await this.dependencies.import(ownerId, safeId, options)
    if (added.status !== 'committed') throw safeErrors.notAdded(added.problem)
    return added
  }
}

const pairOf = (one: string, other: string): KeyPair => (one < other ? [one, other] : [other, one])
