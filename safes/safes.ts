import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Activity } from '../activity/activity.js'
import type { NewEntry } from '../activity/entry.js'
import type { Clock } from '../common/clock.js'
import { notFound } from '../common/domain-error.js'
import { type ImportRead, importReads } from '../common/events.js'
import { findInPages, textMatcher } from '../common/search.js'
import { hashSecret, newId } from '../common/secrets.js'
import { compileForms } from '../graph/text/languages/compile-forms.js'
import { normalizeName, spacedPredicate } from '../graph/text/text.js'
import type { Answer } from './ask/answer.js'
import { ask } from './ask/ask.js'
import { HotRows } from './ask/hot-rows.js'
import { stopwatch } from './ask/stopwatch.js'
import { Browse } from './browse/browse.js'
import { type Found, search } from './browse/search.js'
import { Documents } from './documents/documents.js'
import { Reading } from './documents/reading.js'
import { safeErrors } from './errors.js'
import { exportSafe } from './exports/export.js'
import { Identity } from './identity/identity.js'
import { dropRows, PAUSE_MS, sweep, WORK_LEASE_MS } from './imports/dropping.js'
import { FileReaders } from './imports/file-readers.js'
import { beginImport, commitImport, readImport } from './imports/import.js'
import { ImportLimiter } from './imports/import-limiter.js'
import { importFormats } from './imports/import-source.js'
import { mergeCrowded } from './imports/merging.js'
import type { IndexStatistics } from './index/index-cache.js'
import type { Indexes, IndexMemory } from './index/indexes.js'
import { isSafeId, type Membership, membershipOf, requireOwner, requireReader } from './membership.js'
import type {
  Export,
  Import,
  ImportListOptions,
  ImportOptions,
  ListOptions,
  Member,
  OpenImport,
  OwnedSafe,
  Question,
  ReadableSafe,
  RemovedSafe,
  Role,
  Safe,
  SyncedFolder,
  UndoneImport,
} from './safe.js'
import { safeName } from './safe-name.js'
import { openSample, SAMPLE_NAME } from './sample.js'
import type { ContentStore } from './stores/content.sql.js'
import type { DocumentStore } from './stores/document.sql.js'
import type { ExportStore } from './stores/export.sql.js'
import type { IdentityStore } from './stores/identity.sql.js'
import type { ImportStore } from './stores/import.sql.js'
import type { MergeStore } from './stores/merge.sql.js'
import type { SafeStore } from './stores/safe.sql.js'
import type { SingleValuedStore } from './stores/single-valued.sql.js'
import type { SyncStore } from './stores/sync.sql.js'
import { SAFES_AT_ONCE } from './stores/types.js'
import type { FoundFile } from './sync/plan.js'
import { filesToSync, type Synced, type SyncOptions, syncFolder } from './sync/sync.js'

/** How long approving an import waits for its index. */
const DECISION_PATIENCE_MS = 2000
/** How long undone imports and removed Safes can be restored. */
const RESTORABLE_MS = 7 * 86_400_000
/** How long rejected imports are called to mind. */
const OPEN_SHOWN_MS = 7 * 86_400_000
/** Memory for cached rows of all recently queried Safes. */
const HOT_ROWS_BYTES = 16 * 1024 * 1024

/** Predicates of a Safe with one value at a time, and the characters of one. */
const MOST_SINGLE_VALUED = 200
const LONGEST_PREDICATE = 1_000

export interface Dependencies {
  safes: SafeStore
  imports: ImportStore
  contents: ContentStore
  documents: DocumentStore
  exports: ExportStore
  merges: MergeStore
  sync: SyncStore
  singleValued: SingleValuedStore
  identities: IdentityStore
  indexes: Indexes
  /** Reads files. Default: processes of its own, which end with it. */
  readers?: FileReaders | undefined
  activity: Pick<Activity, 'record' | 'forgetSafe'>
  clock: Clock
  /** Where archives are kept while they are read. */
  spoolFolder: string
  /** Receives errors of background work. */
  onError: (error: unknown) => void
}

/**
 * Safes, their members and their contents. Every method takes the calling account and throws `notFound` for
 * Safes that it may not read. Methods for owners throw 403 for readers.
 */
export class Safes {
  /** The values of `ImportOptions.format`, for people to choose from. */
  readonly importFormats = importFormats
  /** Looking around in a Safe. */
  readonly browse: Browse
  /** What was imported, to be read as a whole. */
  readonly documents: Documents
  /** Documents, page by page for assistants. */
  readonly reading: Reading
  /** Duplicates, and merging them. */
  readonly identity: Identity
  readonly #dependencies: Dependencies
  readonly #rows: HotRows
  readonly #readers: FileReaders
  readonly #limiter = new ImportLimiter()
  readonly #comparing = pLimit(1)
  readonly #work = new Set<Promise<unknown>>()
  readonly #stop = new AbortController()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#readers = dependencies.readers ?? new FileReaders()
    this.#rows = new HotRows(dependencies.contents, HOT_ROWS_BYTES)
    this.documents = new Documents(dependencies)
    this.reading = new Reading(dependencies.safes, this.documents)
    this.browse = new Browse({ ...dependencies, rows: this.#rows })
    this.identity = new Identity({
      ...dependencies,
      rows: this.#rows,
      browse: this.browse,
      import: (ownerId, safeId, options) => this.import(ownerId, safeId, options),
    })
    // Each import that is read or waits for its turn listens; Node warns from the eleventh on.
    setMaxListeners(0, this.#stop.signal)
  }

  async create(accountId: string, name: string): Promise<Safe> {
    const safe = { id: newId(), name: safeName(name), version: 0, createdAt: this.#dependencies.clock() }
    await this.#dependencies.safes.create(safe, accountId)
    return safe
  }

  async rename(accountId: string, safeId: string, name: string): Promise<void> {
    const before = await this.#own(accountId, safeId)
    await this.#dependencies.safes.rename(safeId, safeName(name))
    this.#record({ kind: 'safe-renamed', accountId, safeId, detail: before.name })
  }

  /** Takes the Safe away from all its members. An owner can restore it for 7 days (ADR 45). */
  async remove(accountId: string, safeId: string): Promise<void> {
    const { name } = await this.#own(accountId, safeId)
    await this.#remove(safeId)
    // By its name: nobody can read the Safe any more, so entries of the Safe itself are not shown.
    this.#record({ kind: 'safe-removed', accountId, detail: name })
  }

  async #remove(safeId: string): Promise<void> {
    const now = this.#dependencies.clock()
    const ended = await this.#dependencies.safes.remove(safeId, now + RESTORABLE_MS, now + WORK_LEASE_MS)
    this.#rows.drop(safeId)
    this.#inBackground(async () => {
      for (const id of ended) await dropRows(this.#dependencies, safeId, [id, id], this.#stop.signal)
    })
  }

  /** Restores a removed Safe with its name and members. @throws notFound when this account cannot */
  async restore(accountId: string, safeId: string): Promise<void> {
    const { safes, clock } = this.#dependencies
    if (!isSafeId(safeId) || !(await safes.restore(safeId, accountId, clock()))) throw notFound('Safe')
    this.#record({ kind: 'safe-restored', accountId, safeId })
  }

  /** Removed Safes that this account can restore, ordered by id; 100 by default. */
  removed(accountId: string, page?: ListOptions<string>): Promise<RemovedSafe[]> {
    return this.#dependencies.safes.removed(this.#dependencies.clock(), { ...page, accountId })
  }

  /** For the operator: all removed Safes that can be restored. Checks no account. */
  allRemoved(page?: ListOptions<string>): Promise<RemovedSafe[]> {
    return this.#dependencies.safes.removed(this.#dependencies.clock(), page)
  }

  /** Removes what is left of a removed Safe that cannot be restored at `now`. */
  async #purge(safeId: string, now: number): Promise<void> {
    if (!(await this.#dependencies.safes.purge(safeId, now))) return
    this.#rows.drop(safeId)
    await this.#removeRest(safeId)
  }

  async #removeRest(safeId: string): Promise<void> {
    const { safes, sync, clock, indexes, activity } = this.#dependencies
    const { signal } = this.#stop
    while (!signal.aborted && (await sync.forgetSome(safeId))) await pause(PAUSE_MS)
    for (let last = 0; !signal.aborted; ) {
      const range = await safes.removeSome(safeId, last, clock() + WORK_LEASE_MS)
      if (!range) break
      last = range[1]
      await dropRows(this.#dependencies, safeId, range, signal)
    }
    await indexes.remove(safeId)
    await activity.forgetSafe(safeId)
  }

  /** Removes the Safes whose only owner is or was this account, for good: nobody could restore them. */
  async removeOwnedOnlyBy(accountId: string): Promise<void> {
    await this.#removeEachOwnedOnlyBy(accountId)
    const { safes } = this.#dependencies
    for (let after: string | undefined; ; ) {
      const page = await safes.removed(0, { accountId, ...(after === undefined ? {} : { after }) })
      for (const { id } of page)
        if (await safes.isOnlyFormerOwner(id, accountId))
          this.#inBackground(() => this.#purge(id, Number.MAX_SAFE_INTEGER))
      after = page.at(-1)?.id
      if (after === undefined) return
    }
  }

  async #removeEachOwnedOnlyBy(accountId: string): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = await this.readableBy(accountId, after === undefined ? {} : { after })
      // The last Safe of a page stays until the next page has been read: it is that page's cursor.
      for (const { id } of page.slice(0, -1)) await this.#removeIfOnlyOwner(accountId, id)
      const next = page.at(-1)?.id
      if (after !== undefined) await this.#removeIfOnlyOwner(accountId, after)
      if (next === undefined) return
      after = next
    }
  }

  async #removeIfOnlyOwner(accountId: string, safeId: string): Promise<void> {
    if (await this.#dependencies.safes.isOnlyOwner(safeId, accountId)) await this.#remove(safeId)
  }

  /**
   * In the order in which the account received them; 100 by default. `search` keeps those whose names contain
   * these letters.
   */
  readableBy(
    accountId: string,
    { search = '', ...page }: ListOptions<string> & { search?: string } = {},
  ): Promise<ReadableSafe[]> {
    const { safes } = this.#dependencies
    if (search === '') return safes.readableBy(accountId, page)
    const matches = textMatcher(search)
    return findInPages(
      after => safes.readableBy(accountId, after === undefined ? {} : { after }),
      ({ name }) => matches(name),
      { ...page, limit: page.limit ?? SAFES_AT_ONCE },
    )
  }

  /** Safes and things by name, in all Safes of the account. Takes bounded time, however many and large these are. */
  search(accountId: string, text: string, most: { groups: number; limit: number }): Promise<Found> {
    return search({ ...this.#dependencies, rows: this.#rows }, accountId, text, most)
  }

  /** Those of these Safes that the account may read, in the order of `readableBy`. For at most 100 ids. */
  readableAmong(accountId: string, safeIds: readonly string[]): Promise<ReadableSafe[]> {
    return this.#dependencies.safes.readableAmong(accountId, safeIds.filter(isSafeId))
  }

  /** For the operator: every Safe with one of its owners, ordered by id. Checks no account. */
  all(page?: ListOptions<string>): Promise<OwnedSafe[]> {
    return this.#dependencies.safes.all(page)
  }

  /** Memory of this process that indexes occupy. */
  get indexMemory(): IndexMemory {
    return this.#dependencies.indexes.memory
  }

  /** For the operator: bytes of the Safe's index file; 0: none. Checks no account. */
  indexFileBytes(safeId: string): Promise<number> {
    return this.#dependencies.indexes.fileBytes(safeId)
  }

  /** For the operator: the Safe with this id, or up to 10 with this name. */
  named(idOrName: string): Promise<OwnedSafe[]> {
    return this.#dependencies.safes.named(idOrName)
  }

  async find(accountId: string, safeId: string): Promise<ReadableSafe | null> {
    const member = await this.membership(accountId, safeId)
    return member ? this.#dependencies.safes.readable(accountId, safeId) : null
  }

  /** Whether the account may read this Safe now; checked before every read. One indexed look-up. */
  membership(accountId: string, safeId: string): Promise<Membership | null> {
    return membershipOf(this.#dependencies.safes, accountId, safeId)
  }

  /** @throws notFound for non-members, 403 for readers */
  requireOwner(accountId: string, safeId: string): Promise<Membership> {
    return this.#own(accountId, safeId)
  }

  async share(ownerId: string, safeId: string, accountId: string, role: Role): Promise<void> {
    await this.#own(ownerId, safeId)
    const before = await this.membership(accountId, safeId)
    const outcome = await this.#dependencies.safes.share(safeId, accountId, role, this.#dependencies.clock())
    if (outcome === 'no account') throw notFound('account')
    if (outcome === 'last owner') throw safeErrors.lastOwner()
    this.#recordRole(accountId, safeId, before, role)
  }

  async unshare(ownerId: string, safeId: string, accountId: string): Promise<void> {
    await this.#own(ownerId, safeId)
    const outcome = await this.#dependencies.safes.unshare(safeId, accountId)
    if (outcome === 'no member') throw notFound('member')
    if (outcome === 'last owner') throw safeErrors.lastOwner()
    this.#record({ kind: 'member-removed', accountId, safeId })
  }

  /** Ordered by id; 100 by default. */
  async members(accountId: string, safeId: string, page?: ListOptions<string>) {
    await requireReader(this.#dependencies.safes, accountId, safeId)
    return this.#dependencies.safes.members(safeId, page)
  }

  /** The members with their e-mail addresses, for owners; 100 by default. */
  async people(ownerId: string, safeId: string, page?: ListOptions<string>): Promise<Member[]> {
    await this.#own(ownerId, safeId)
    return this.#dependencies.safes.people(safeId, page)
  }

  /** @throws notFound if the account is no member, 409 for the last owner */
  async changeRole(ownerId: string, safeId: string, accountId: string, role: Role): Promise<void> {
    await this.#own(ownerId, safeId)
    const before = await this.membership(accountId, safeId)
    const outcome = await this.#dependencies.safes.changeRole(safeId, accountId, role)
    if (outcome === 'no member') throw notFound('member')
    if (outcome === 'last owner') throw safeErrors.lastOwner()
    this.#recordRole(accountId, safeId, before, role)
  }

  /** Uses an invitation into a Safe. @throws DomainError 410 if it is not valid for this account */
  async join(safeId: string, token: string, account: { id: string; email: string }): Promise<void> {
    const { safes, clock } = this.#dependencies
    const before = await this.membership(account.id, safeId)
    if (!(await safes.join(safeId, hashSecret(token), account, clock()))) throw safeErrors.invitationUsed()
    const now = await this.membership(account.id, safeId)
    if (now) this.#recordRole(account.id, safeId, before, now.role)
  }

  /** The name of a Safe, for the page of an invitation into it. Checks no account. */
  async nameForInvitation(safeId: string): Promise<string | null> {
    const [found] = await this.#dependencies.safes.named(safeId)
    return found?.safe.name ?? null
  }

  /** The Safes that would be removed with this account, at most `limit`. */
  ownedOnlyBy(accountId: string, limit: number): Promise<ReadableSafe[]> {
    return this.#dependencies.safes.ownedOnlyBy(accountId, limit)
  }

  /**
   * Answers a question. `onWork` receives the milliseconds that each part of the work took in this thread. Once
   * `signal` is aborted, no further part begins.
   */
  ask(
    accountId: string,
    safeId: string,
    question: Question,
    onWork?: (ms: number) => void,
    signal?: AbortSignal,
  ): Promise<Answer> {
    return ask(
      { ...this.#dependencies, rows: this.#rows, timed: stopwatch(onWork, signal) },
      accountId,
      safeId,
      question,
    )
  }

  /**
   * Reads a file into a staged import. Resolves when it is staged, committed or failed; bad lines do not
   * throw.
   */
  async import(accountId: string, safeId: string, options: ImportOptions): Promise<Import> {
    await this.#own(accountId, safeId)
    const begun = await beginImport(this.#dependencies, accountId, safeId, options)
    return this.#during(this.#read(accountId, begun, options))
  }

  /**
   * Starts `import` and resolves as soon as its row exists, so that a page can show the progress.
   * @throws DomainError 429 when too many files of the account are waiting
   */
  async startImport(accountId: string, safeId: string, options: ImportOptions): Promise<Import> {
    await this.#own(accountId, safeId)
    const leave = this.#limiter.enter(accountId)
    const begun = await beginImport(this.#dependencies, accountId, safeId, options).catch(error => {
      leave()
      throw error
    })
    this.#inBackground(async () => {
      let isDone = false
      try {
        await this.#read(accountId, begun, options)
        isDone = !this.#stop.signal.aborted
      } finally {
        leave()
        await options.onEnd?.(isDone)
      }
    })
    return begun
  }

  async #read(accountId: string, begun: Import, options: ImportOptions): Promise<Import> {
    const item = await measuredRead(
      'file',
      () => readImport(this.#reading, accountId, begun, options, this.#stop.signal),
      ({ status }) => (status === 'committed' || status === 'staged' ? status : 'failed'),
    )
    await this.#recordResult(accountId, item, options.connectionId)
    return item
  }

  /** `connectionId`, here and below: the connection that does it, for the activity. */
  async commitImport(
    accountId: string,
    safeId: string,
    importId: number,
    connectionId?: string,
  ): Promise<Import> {
    await this.#own(accountId, safeId)
    const { signal } = this.#stop
    const committing = commitImport(this.#dependencies, safeId, importId, signal, DECISION_PATIENCE_MS)
    const item = await this.#during(committing)
    await this.#recordResult(accountId, item, connectionId)
    return item
  }

  /**
   * Makes the Safe contain what a folder does, in one visible step (ADR 52). Files that cannot be read keep what
   * they had brought, and are reported.
   * @throws DomainError 409 when another run holds the folder, or something must be confirmed
   */
  async sync(accountId: string, safeId: string, options: SyncOptions): Promise<Synced> {
    await this.#own(accountId, safeId)
    const dependencies = { ...this.#dependencies, readers: this.#readers }
    const done = await measuredRead(
      'folder',
      () => this.#during(syncFolder(dependencies, accountId, safeId, options, this.#stop.signal)),
      ({ item }) => (item ? 'committed' : 'unchanged'),
    )
    if (done.item) this.#recordImport('imported', accountId, done.item, options.connectionId)
    this.#inBackground(() => this.#dropVersions(safeId))
    return done
  }

  /** The files that `sync` would have to read. @throws DomainError 409 when something must be confirmed */
  async filesToSync(
    accountId: string,
    safeId: string,
    options: Pick<SyncOptions, 'name' | 'folder' | 'confirmed'>,
    files: readonly FoundFile[],
  ): Promise<FoundFile[]> {
    await this.#own(accountId, safeId)
    return filesToSync(this.#dependencies, safeId, options, files)
  }

  /** The Safe will be synced again: keeps what its next index is built from, for a minute and a half. */
  expectSync(safeId: string): void {
    this.#inBackground(async () => {
      try {
        await this.#dependencies.indexes.warm(safeId)
      } catch (error) {
        if (!this.#stop.signal.aborted) throw error
      }
    })
  }

  /** The folders that the Safe is kept in step with, by name; at most 50. */
  async syncedFolders(accountId: string, safeId: string): Promise<SyncedFolder[]> {
    await requireReader(this.#dependencies.safes, accountId, safeId)
    return this.#dependencies.sync.list(safeId, this.#dependencies.clock())
  }

  /** Drops versions of files that can no longer become visible. */
  async #dropVersions(onlySafe?: string): Promise<void> {
    const { sync, clock } = this.#dependencies
    const since = clock() - RESTORABLE_MS
    for await (const { safeId, folder } of sync.all(onlySafe))
      while (!this.#stop.signal.aborted && (await sync.dropSome(safeId, folder, since))) await pause(PAUSE_MS)
  }

  /** The predicates of which a thing has one value at a time (ADR 55), in the spelling of the index. */
  async singleValued(accountId: string, safeId: string): Promise<string[]> {
    await requireReader(this.#dependencies.safes, accountId, safeId)
    return this.#dependencies.singleValued.list(safeId)
  }

  /**
   * Marks a predicate in any spelling, or removes the mark, and returns the spelling of the index. Nothing is lost: facts
   * that newer ones supersede stay, as history.
   * @throws DomainError 400 for an impossible name, or when too many are marked
   */
  async setSingleValued(
    accountId: string,
    safeId: string,
    predicate: string,
    isOn: boolean,
  ): Promise<string> {
    await this.#own(accountId, safeId)
    const name = normalizeName(spacedPredicate(predicate))
    if (name === '' || name.length > LONGEST_PREDICATE || name.includes('\0'))
      throw safeErrors.predicateName()
    const { singleValued } = this.#dependencies
    const isChanged = await singleValued.set(safeId, name, isOn, MOST_SINGLE_VALUED)
    if (!isChanged && isOn && !(await singleValued.list(safeId)).includes(name))
      throw safeErrors.manySingleValued(MOST_SINGLE_VALUED)
    return name
  }

  /**
   * Drops a staged or failed import, or undoes a committed one, which can then be restored for 7 days (ADR 45).
   * @throws DomainError 409 when it has been merged with others
   */
  async undoImport(
    accountId: string,
    safeId: string,
    importId: number,
    connectionId?: string,
  ): Promise<void> {
    await this.#own(accountId, safeId)
    const now = this.#dependencies.clock()
    const { imports } = this.#dependencies
    const item = await imports.find(safeId, importId)
    const outcome = await imports.undo(safeId, importId, now + WORK_LEASE_MS, now + RESTORABLE_MS)
    if (outcome === null) throw notFound('import')
    if (outcome === 'kept' && item) this.#recordImport('undone', accountId, item, connectionId)
    if (outcome === 'kept') return
    if (outcome !== 'dropped' && 'laterRun' in outcome)
      throw outcome.laterRun === null ? safeErrors.oldRun() : safeErrors.laterRun(outcome.laterRun)
    if (outcome !== 'dropped')
      throw safeErrors.merged(new Date(outcome.mergedBefore).toISOString().slice(0, 10))
    this.#inBackground(() => dropRows(this.#dependencies, safeId, [importId, importId], this.#stop.signal))
  }

  /**
   * Makes an undone import visible again, at its place among the others. @throws notFound when it cannot be
   * restored (any more), DomainError 409 when the same file has been added since
   */
  async restoreImport(
    accountId: string,
    safeId: string,
    importId: number,
    connectionId?: string,
  ): Promise<void> {
    await this.#own(accountId, safeId)
    const { imports, clock } = this.#dependencies
    const outcome = await imports.restore(safeId, importId, clock())
    if (outcome === null) throw notFound('import')
    if (outcome !== 'restored') throw safeErrors.addedSince(outcome.sameAs)
    const item = await imports.find(safeId, importId)
    if (item) this.#recordImport('restored', accountId, item, connectionId)
  }

  /** Undone imports that can be restored, newest first; 100 by default. */
  async undoneImports(
    accountId: string,
    safeId: string,
    page?: ListOptions<number>,
  ): Promise<UndoneImport[]> {
    await requireReader(this.#dependencies.safes, accountId, safeId)
    return this.#dependencies.imports.undone(safeId, this.#dependencies.clock(), page)
  }

  /** Newest first; 100 by default. */
  async imports(accountId: string, safeId: string, page?: ImportListOptions): Promise<Import[]> {
    await requireReader(this.#dependencies.safes, accountId, safeId)
    return this.#dependencies.imports.list(safeId, page)
  }

  /** Imports of the last 7 days that wait for a decision of this account or were rejected, newest first. */
  openImports(accountId: string, limit: number): Promise<OpenImport[]> {
    const { imports, clock } = this.#dependencies
    return imports.open(accountId, clock() - OPEN_SHOWN_MS, limit)
  }

  async findImport(accountId: string, safeId: string, importId: number): Promise<Import | null> {
    await requireReader(this.#dependencies.safes, accountId, safeId)
    return this.#dependencies.imports.find(safeId, importId)
  }

  /**
   * Exports everything in the Safe, for any member. @throws DomainError 400 when the format does not exist
   */
  async export(accountId: string, safeId: string, format: string, connectionId?: string): Promise<Export> {
    const { name } = await requireReader(this.#dependencies.safes, accountId, safeId)
    const file = await exportSafe(this.#dependencies, safeId, name, format, this.#stop.signal)
    this.#record({ kind: 'exported', accountId, safeId, detail: format, ...by(connectionId) })
    return file
  }

  /** Creates a Safe that contains the sample graph. */
  async createSample(accountId: string): Promise<Safe> {
    const safe = await this.create(accountId, SAMPLE_NAME)
    const filled = await this.import(accountId, safe.id, { ...openSample(), commit: true })
    if (filled.status !== 'committed') throw safeErrors.badSample(filled.problem)
    return { ...safe, version: safe.version + 1 }
  }

  /** The memory and the use of the indexes in this process. */
  get indexStatistics(): IndexStatistics {
    return this.#dependencies.indexes.statistics
  }

  /** Once after the start: what would otherwise keep every request waiting for the first question. */
  prepareQuestions(): Promise<void> {
    return compileForms()
  }

  /** Resolves when this process has no import or clean-up in progress. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
  }

  /**
   * Drops imports abandoned by dead processes or undecided owners, and merges the imports of Safes that have
   * very many.
   */
  sweep(): void {
    this.sweepAbandoned()
    this.#inBackground(async () => {
      const now = this.#dependencies.clock()
      for await (const safeId of this.#dependencies.safes.expired(now)) await this.#purge(safeId, now)
      await mergeCrowded(this.#dependencies, this.#stop.signal)
      await this.#dropVersions()
    })
    this.#inBackground(() => this.#dependencies.indexes.sweep(this.#dependencies.clock()))
  }

  /** Drops imports abandoned by dead processes or undecided owners. */
  sweepAbandoned(): void {
    this.#inBackground(() => sweep(this.#dependencies, this.#stop.signal))
  }

  /**
   * Aborts work in progress, including questions that wait for an index. Imports end as failed; unfinished
   * clean-ups are left to the next `sweep`. Safe to call twice.
   */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#dependencies.indexes.close()
    if (!this.#dependencies.readers) await this.#readers.close()
    await this.settled()
  }

  #record(entry: NewEntry): void {
    this.#dependencies.activity.record(entry)
  }

  #recordImport(
    kind: 'imported' | 'undone' | 'restored',
    accountId: string,
    { safeId, source, counts }: Import,
    connectionId?: string,
  ): void {
    // A run of a synced folder may have removed more than it added.
    const facts = Math.max(0, counts.relations)
    const passages = Math.max(0, counts.passages)
    this.#record({ kind, accountId, safeId, detail: source, facts, passages, ...by(connectionId) })
  }

  /** Records that an import was added or rejected, unless its owner has stopped it. */
  async #recordResult(accountId: string, item: Import, connectionId?: string): Promise<void> {
    const { safeId, id, source, status } = item
    if (status === 'committed') this.#recordImport('imported', accountId, item, connectionId)
    if (status === 'failed' && (await this.#dependencies.imports.find(safeId, id)))
      this.#record({ kind: 'import-failed', accountId, safeId, detail: source, ...by(connectionId) })
  }

  #recordRole(accountId: string, safeId: string, before: Membership | null, role: Role): void {
    if (before?.role === role) return
    this.#record({ kind: before ? 'role-changed' : 'member-added', accountId, safeId, detail: role })
  }

  get #reading() {
    return {
      ...this.#dependencies,
      readers: this.#readers,
      limiter: this.#limiter,
      comparing: this.#comparing,
    }
  }

  #own(accountId: string, safeId: string): Promise<Membership> {
    return requireOwner(this.#dependencies.safes, accountId, safeId)
  }

  async #during<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work)
    try {
      return await work
    } finally {
      this.#work.delete(work)
    }
  }

  #inBackground(work: () => Promise<unknown>): void {
    void this.#during(work()).catch(this.#dependencies.onError)
  }
}

/** Reads, and publishes what became of it. */
async function measuredRead<T>(
  kind: ImportRead['kind'],
  read: () => Promise<T>,
  resultOf: (done: T) => ImportRead['result'],
): Promise<T> {
  const began = performance.now()
  let result: ImportRead['result'] = 'failed'
  try {
    const done = await read()
    result = resultOf(done)
    return done
  } finally {
    importReads.publish({ kind, result, ms: performance.now() - began })
  }
}

const by = (connectionId: string | undefined) => (connectionId === undefined ? {} : { connectionId })
