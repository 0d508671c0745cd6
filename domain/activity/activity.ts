import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Clock } from '../../platform/common/clock.js'
import { DAY_MS } from '../../platform/common/durations.js'
import { Part } from '../part.js'
import { DocumentReaders } from './document-readers.js'
import type { ActivityKind, NewEntry, RecordActivity, ShownEntry } from './entry.js'
import { firstIdAt } from './entry-id.js'
import type { Recorder } from './recorder.js'
import type { ActivityStore, EntryKey, EntryScope } from './stores/activity.sql.js'
import type { DocumentReadStore } from './stores/document-reads.sql.js'
import { ThingReaders, visibleTo } from './thing-readers.js'

/** Index entries read at once, and maximum for one page. A page that reaches the maximum may be short, but has a next page. */
const SCANNED_AT_ONCE = 250
const MAX_SCANNED = 2500
/** Number of latest entries whose values the filters offer. */
const SCANNED_FOR_FILTERS = 1000
const MAX_CHOICES = 100
const MAX_NOTICES = 100

/** Filters of entries. */
export interface ActivityFilter {
  kind?: ActivityKind | undefined
  connectionId?: string | undefined
  safeId?: string | undefined
  /** Start and end (exclusive) of the listed times. */
  since?: number | undefined
  until?: number | undefined
}

interface EntriesRequest extends ActivityFilter {
  /** Start after this entry. */
  after?: string | undefined
  limit: number
}

/** Entries, newest first, and the id after which the next page starts. */
export interface EntryList {
  entries: ShownEntry[]
  next: string | null
}

/** The assistants and Safes named in the latest entries, by name. */
export interface FilterChoices {
  assistants: { id: string; name: string }[]
  safes: { id: string; name: string }[]
}

/** Entries, as far as somebody may see them. */
interface EntriesView extends EntryScope {
  isVisible(entry: EntryKey): boolean
}

interface ActivityDependencies {
  store: ActivityStore
  reads: DocumentReadStore
  recorder: Recorder
  clock: Clock
  /** How long entries are kept. 0: nothing is recorded. */
  days: number
}

/** The actions of assistants and people (ADR 43). */
export class Activity extends Part<ActivityDependencies> {
  readonly documents = new DocumentReaders(this.dependencies)
  readonly things = new ThingReaders(this.dependencies)
  #onRecord: RecordActivity | null = null

  /** How long entries are kept. 0: nothing is recorded. */
  get days(): number {
    return this.dependencies.days
  }

  /** Records an entry, which is written within a second. Never waits and never throws. */
  record = (entry: NewEntry): void => {
    if (this.days > 0) this.dependencies.recorder.record(entry)
    this.#onRecord?.(entry)
  }

  /** Passes every entry of this process to `listener` as well, even if none is stored. `listener` must neither wait nor throw. */
  onRecord(listener: RecordActivity): void {
    this.#onRecord = listener
  }

  /** Entries of an account, except those of Safes that it can no longer read. */
  async ofAccount(accountId: string, page: EntriesRequest): Promise<EntryList> {
    const { connectionId } = page
    if (!connectionId) return this.#list(ownOf(accountId), page)
    if (!(await this.dependencies.store.hasConnection(accountId, connectionId)))
      return { entries: [], next: null }
    return this.#list({ column: 'connection_id', id: connectionId, isVisible: isReadable }, page)
  }

  /**
   * Entries of a Safe: all of them for an owner, their own for a reader.
   * @throws notFound for everybody else (RULES S2)
   */
  async ofSafe(accountId: string, safeId: string, page: EntriesRequest): Promise<EntryList> {
    return this.#list(await this.#inSafe(accountId, safeId), page)
  }

  /** The clock for entries. */
  now = (): number => this.dependencies.clock()

  /** Milliseconds since an event. */
  ageOf = (time: number): number => this.dependencies.clock() - time

  /** The latest entries of an account, at most `limit`. */
  recentOfAccount(accountId: string, limit: number): Promise<ShownEntry[]> {
    return this.#recent(ownOf(accountId), limit)
  }

  /**
   * The latest entries of a Safe that `ofSafe` shows, at most `limit`. Without imports, which are changes of the Safe.
   * @throws notFound
   */
  async recentOfSafe(accountId: string, safeId: string, limit: number): Promise<ShownEntry[]> {
    const { isVisible, ...scope } = await this.#inSafe(accountId, safeId)
    const isShown = (entry: EntryKey) => entry.kind !== 'imported' && isVisible(entry)
    return this.#recent({ ...scope, isVisible: isShown }, limit)
  }

  /** The ids of the Safes in the latest entries of an account, the most recently used first. */
  async lastUsedSafes(accountId: string): Promise<string[]> {
    return [...(await this.#latest(ownOf(accountId))).safes]
  }

  /** The number of notices an account has not seen, at most 100. */
  async unseen(accountId: string): Promise<number> {
    return (await this.#unseen(accountId)).length
  }

  /** The latest notices that an account has not seen, at most `limit`. Marks all of them as seen. */
  async see(accountId: string, limit: number): Promise<ShownEntry[]> {
    const [newest, ...others] = await this.#unseen(accountId)
    if (newest === undefined) return []
    const entries = await this.dependencies.store.read([newest, ...others].slice(0, limit))
    await this.dependencies.store.see(accountId, newest)
    return entries
  }

  async #unseen(accountId: string): Promise<string[]> {
    if (this.days === 0) return []
    const from = this.#firstKept()
    return (await this.dependencies.store.unseen(accountId, MAX_NOTICES)).filter(id => id >= from)
  }

  /** The filter values of `ofAccount`. */
  choicesOfAccount(accountId: string): Promise<FilterChoices> {
    return this.#choices(ownOf(accountId))
  }

  /** The filter values of `ofSafe`. @throws notFound */
  async choicesOfSafe(accountId: string, safeId: string): Promise<FilterChoices> {
    return this.#choices(await this.#inSafe(accountId, safeId))
  }

  /** Deletes the entries of a removed Safe, or of an account that is being removed. */
  async forget(column: 'account_id' | 'safe_id', id: string): Promise<void> {
    await this.dependencies.store.forget({ column, id })
    await this.dependencies.reads.forget(column, id)
  }

  /** Deletes expired entries. */
  async sweep(): Promise<void> {
    await this.dependencies.store.expire(this.#firstKept())
    await this.documents.sweep()
  }

  flush(): Promise<void> {
    return this.dependencies.recorder.flush()
  }

  close(): Promise<void> {
    return this.dependencies.recorder.close()
  }

  /** @throws notFound */
  async #inSafe(accountId: string, safeId: string): Promise<EntriesView> {
    const isVisible = await visibleTo(this.dependencies.store, accountId, safeId)
    return { column: 'safe_id', id: safeId, isVisible }
  }

  async #list(
    { isVisible, ...scope }: EntriesView,
    { kind, connectionId, safeId, since = 0, until, after, limit }: EntriesRequest,
  ): Promise<EntryList> {
    const ids: string[] = []
    let last = after
    let scanned = 0
    const isWanted = (entry: EntryKey) =>
      (!kind || entry.kind === kind) &&
      (!safeId || entry.safeId === safeId) &&
      (!connectionId || entry.connectionId === connectionId)
    const end = until === undefined ? undefined : firstIdAt(until)
    const before = [after, end].filter(id => id !== undefined).sort()[0]
    for await (const entry of this.#keys(scope, before, firstIdAt(since))) {
      if (ids.length === limit || scanned === MAX_SCANNED) {
        return { entries: await this.dependencies.store.read(ids), next: last ?? null }
      }
      scanned++
      last = entry.id
      if (isWanted(entry) && isVisible(entry)) ids.push(entry.id)
    }
    return { entries: await this.dependencies.store.read(ids), next: null }
  }

  async #recent({ isVisible, ...scope }: EntriesView, limit: number): Promise<ShownEntry[]> {
    const keys = await this.dependencies.store.scan(scope, {
      from: this.#firstKept(),
      limit: SCANNED_AT_ONCE,
    })
    const ids = keys.filter(isVisible).map(({ id }) => id)
    return this.dependencies.store.read(ids.slice(0, limit))
  }

  async #choices(view: EntriesView): Promise<FilterChoices> {
    const { connections, safes } = await this.#latest(view)
    const [assistants, safeNames] = await Promise.all([
      this.dependencies.store.assistants([...connections], ''),
      this.dependencies.store.safes([...safes]),
    ])
    return { assistants: assistants.map(({ connectionId: id, name }) => ({ id, name })), safes: safeNames }
  }

  /** The connections and Safes in the latest entries, the latest first. */
  async #latest({ isVisible, ...scope }: EntriesView) {
    const connections = new Set<string>()
    const safes = new Set<string>()
    let scanned = 0
    for await (const entry of this.#keys(scope)) {
      if (scanned++ === SCANNED_FOR_FILTERS) break
      if (!isVisible(entry)) continue
      if (entry.connectionId !== null && connections.size < MAX_CHOICES) connections.add(entry.connectionId)
      if (entry.safeId !== null && safes.size < MAX_CHOICES) safes.add(entry.safeId)
    }
    return { connections, safes }
  }

  /** The keys of the entries that have not expired, newest first. */
  async *#keys(scope: EntryScope, before?: string, since = ''): AsyncGenerator<EntryKey> {
    const kept = this.#firstKept()
    const from = since > kept ? since : kept
    for (let last = before; ; ) {
      const range = { before: last, from, limit: SCANNED_AT_ONCE }
      const keys = await this.dependencies.store.scan(scope, range)
      yield* keys
      if (keys.length < SCANNED_AT_ONCE) return
      last = keys.at(-1)?.id
      await otherRequests()
    }
  }

  /** The lowest id that has not expired. */
  #firstKept(): string {
    return firstIdAt(this.dependencies.clock() - this.days * DAY_MS)
  }
}

const isReadable = ({ readable }: EntryKey) => readable === 1

const ownOf = (accountId: string): EntriesView => ({
  column: 'account_id',
  id: accountId,
  isVisible: isReadable,
})
