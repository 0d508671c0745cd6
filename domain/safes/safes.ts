import { findInPages, textMatcher } from '../../platform/common/search.js'
import { isId, newId } from '../../platform/common/secrets.js'
import { Part } from '../part.js'
import { HotRows } from './ask/hot-rows.js'
import { Questions } from './ask/questions.js'
import { BackgroundWork } from './background-work.js'
import { Browse } from './browse/browse.js'
import { Changes } from './changes/changes.js'
import { Counting, type Patience } from './counting.js'
import type { SafeDependencies } from './dependencies.js'
import { Documents } from './documents/documents.js'
import { Reading } from './documents/reading.js'
import { Versions } from './documents/versions.js'
import { safeErrors } from './errors.js'
import { exportSafe } from './exports/export.js'
import { Identity } from './identity/identity.js'
import { FileReaders } from './imports/file-readers.js'
import { Imports } from './imports/imports.js'
import type { Indexes } from './index/indexes.js'
import { Maintenance } from './maintenance.js'
import { Members } from './members.js'
import { membershipOf, requireOwner, requireReader } from './membership.js'
import { Notes } from './notes/notes.js'
import { Removal } from './removal.js'
import { RemovedStatements } from './removed/removed-statements.js'
import type { Export, ListOptions, Membership, OwnedSafe, ReadableSafe, Safe } from './safe.js'
import { safeName } from './safe-name.js'
import { openSample, SAMPLE_NAME } from './sample.js'
import { SingleValued } from './single-valued.js'
import { LISTED_AT_ONCE } from './stores/types.js'
import { SyncedFolders } from './sync/synced-folders.js'

/** Memory for cached rows of all recently queried Safes. */
const HOT_ROWS_BYTES = 16 * 1024 * 1024
/**
 * Safes: which exist, who may read them, and all operations on them. Every method, here and in the parts, takes
 * the calling account and throws `notFound` for Safes that it may not read. Methods for owners throw 403 for readers.
 */
export class Safes extends Part<SafeDependencies> {
  readonly members: Members
  readonly removal: Removal
  readonly imports: Imports
  readonly folders: SyncedFolders
  /** Notes written here. */
  readonly notes: Notes
  /** Facts and passages that owners have removed. */
  readonly removed: RemovedStatements
  readonly singleValued: SingleValued
  /** The latest changes. */
  readonly changes: Changes
  readonly questions: Questions
  /** Browsing a Safe. */
  readonly browse: Browse
  /** Imported documents, read as a whole. */
  readonly documents: Documents
  /** Documents, page by page for assistants. */
  readonly versions: Versions
  readonly reading: Reading
  /** Duplicates, and merging them. */
  readonly identity: Identity
  readonly maintenance: Maintenance
  /** For the operator: the indexes' memory, use and files. Does not check an account. */
  readonly indexes: Pick<Indexes, 'statistics' | 'fileBytes'>
  readonly #readers: FileReaders
  readonly #work: BackgroundWork
  readonly #counting: Counting

  constructor(dependencies: SafeDependencies) {
    super(dependencies)
    this.#readers = dependencies.readers ?? new FileReaders()
    const rows = new HotRows(dependencies.contents, HOT_ROWS_BYTES)
    this.#work = new BackgroundWork(dependencies.onError)
    const shared = { ...dependencies, rows, readers: this.#readers, work: this.#work }
    this.#counting = new Counting(shared)
    this.members = new Members(shared)
    this.removal = new Removal({ ...shared, counting: this.#counting })
    this.imports = new Imports(shared)
    this.folders = new SyncedFolders(shared)
    this.notes = new Notes({ ...shared, folders: this.folders })
    this.removed = new RemovedStatements(shared)
    this.singleValued = new SingleValued(shared)
    this.changes = new Changes(shared)
    this.documents = new Documents(shared)
    this.versions = new Versions({ ...shared, notes: this.notes })
    this.reading = new Reading({ safes: dependencies.safes, documents: this.documents })
    this.questions = new Questions({ ...shared, reading: this.reading, counting: this.#counting })
    this.browse = new Browse(shared)
    this.identity = new Identity({
      ...shared,
      browse: this.browse,
      import: (ownerId, safeId, options) => this.imports.add(ownerId, safeId, options),
    })
    this.maintenance = new Maintenance({ ...shared, removal: this.removal, folders: this.folders })
    this.indexes = dependencies.indexes
  }

  async create(accountId: string, name: string): Promise<Safe> {
    const safe = { id: newId(), name: safeName(name), version: 0, createdAt: this.dependencies.clock() }
    await this.dependencies.safes.create(safe, accountId)
    return safe
  }

  /** Creates a Safe that contains the sample graph. */
  async createSample(accountId: string): Promise<Safe> {
    const safe = await this.create(accountId, SAMPLE_NAME)
    const filled = await this.imports.add(accountId, safe.id, { ...openSample(), commit: true })
    if (filled.status !== 'committed') throw safeErrors.badSample(filled.problem)
    return { ...safe, version: safe.version + 1 }
  }

  async rename(accountId: string, safeId: string, name: string): Promise<void> {
    const { safes, activity } = this.dependencies
    const before = await requireOwner(safes, accountId, safeId)
    await safes.rename(safeId, safeName(name))
    activity.record({ kind: 'safe-renamed', accountId, safeId, detail: before.name })
  }

  /** Whether the account may read this Safe now; checked before every read. One indexed look-up. */
  membership(accountId: string, safeId: string): Promise<Membership | null> {
    return membershipOf(this.dependencies.safes, accountId, safeId)
  }

  /** @throws notFound for non-members, 403 for readers */
  requireOwner(accountId: string, safeId: string): Promise<Membership> {
    return requireOwner(this.dependencies.safes, accountId, safeId)
  }

  async find(accountId: string, safeId: string): Promise<ReadableSafe | null> {
    const member = await this.membership(accountId, safeId)
    const safe = member ? await this.dependencies.safes.readable(accountId, safeId) : null
    return safe ? ((await this.#counting.of([safe]))[0] ?? null) : null
  }

  /**
   * In the order in which the account received them; 100 by default. `search` keeps those whose names contain
   * these letters.
   */
  async readableBy(
    accountId: string,
    { search = '', patienceMs, ...page }: ListOptions<string> & Patience & { search?: string } = {},
  ): Promise<ReadableSafe[]> {
    const { safes } = this.dependencies
    if (search === '') return this.#counting.of(await safes.readableBy(accountId, page), { patienceMs })
    const matches = textMatcher(search)
    const found = await findInPages(
      after => safes.readableBy(accountId, { after }),
      ({ name }) => matches(name),
      { ...page, limit: page.limit ?? LISTED_AT_ONCE },
    )
    return this.#counting.of(found, { patienceMs })
  }

  /** Those of these Safes that the account may read, in the order of `readableBy`. For at most 100 ids. */
  async readableAmong(accountId: string, ids: readonly string[], patience?: Patience) {
    const found = await this.dependencies.safes.readableAmong(accountId, ids.filter(isId))
    return this.#counting.of(found, patience)
  }

  /** For the operator: every Safe with one of its owners, ordered by id. Does not check an account. */
  async all({ patienceMs, ...page }: ListOptions<string> & Patience = {}): Promise<OwnedSafe[]> {
    const found = await this.dependencies.safes.all(page)
    const safes = found.map(({ safe }) => safe)
    const counted = await this.#counting.of(safes, { patienceMs })
    return found.flatMap(({ ownerId }, at) => (counted[at] ? { safe: counted[at], ownerId } : []))
  }

  /** For the operator: the Safe with this id, or up to 10 with this name. */
  named(idOrName: string): Promise<OwnedSafe<Safe>[]> {
    return this.dependencies.safes.named(idOrName)
  }

  /** Exports everything in the Safe, for any member. @throws DomainError 400 when the format does not exist */
  async export(accountId: string, safeId: string, format: string, connectionId?: string): Promise<Export> {
    const { safes, activity } = this.dependencies
    const { name } = await requireReader(safes, accountId, safeId)
    const file = await exportSafe(this.dependencies, safeId, name, format, this.#work.signal)
    const entry = { kind: 'exported', accountId, safeId, detail: format } as const
    activity.record({ ...entry, connectionId: connectionId ?? null })
    return file
  }

  /** Resolves when this process has no import or clean-up in progress. */
  idle(): Promise<void> {
    return this.#work.idle()
  }

  /**
   * Aborts work in progress, including questions that wait for an index. Imports end as failed; unfinished
   * clean-ups are left to the next `sweep`. Safe to call twice.
   */
  async close(): Promise<void> {
    this.#work.stop()
    await this.dependencies.indexes.close()
    if (!this.dependencies.readers) await this.#readers.close()
    await this.idle()
  }
}
