import type { Answer } from '../../graph/answer.js'
import type { Clock } from '../clock.js'
import { DomainError, notFound } from '../domain-error.js'
import { newId } from '../secret.js'
import { ask } from './ask.js'
import { dropRows, sweep, WORK_LEASE_MS } from './dropping.js'
import { exportSafe } from './export.js'
import { beginImport, commitImport, readImport } from './import.js'
import { importFormats } from './import-source.js'
import type { Indexes } from './indexes.js'
import { type Membership, membershipOf, requireOwner, requireReader } from './membership.js'
import type { Export, Import, ImportOptions, Question, ReadableSafe, Role, Safe, Safes } from './safe.js'
import { safeName } from './safe-name.js'
import { openSample, SAMPLE_NAME } from './sample.js'
import type { ContentStore, ExportStore, ImportStore, SafeStore } from './store.js'

/** How long whoever says yes to an import waits for its index. */
const DECISION_PATIENCE_MS = 2000

export interface Parts {
  safes: SafeStore
  imports: ImportStore
  contents: ContentStore
  exports: ExportStore
  indexes: Indexes
  clock: Clock
  /** Where archives are kept while they are read. */
  spoolFolder: string
  /** Told of failures in work that nobody waits for. */
  onError: (error: unknown) => void
}

/** Safes over their stores. Every method checks the membership first. */
export class StoredSafes implements Safes {
  readonly importFormats = importFormats
  readonly #parts: Parts
  readonly #work = new Set<Promise<unknown>>()
  readonly #stop = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async create(accountId: string, name: string): Promise<Safe> {
    const safe = { id: newId(), name: safeName(name), version: 0, createdAt: this.#parts.clock() }
    await this.#parts.safes.create(safe, accountId)
    return safe
  }

  async rename(accountId: string, safeId: string, name: string): Promise<void> {
    await this.#own(accountId, safeId)
    await this.#parts.safes.rename(safeId, safeName(name))
  }

  async remove(accountId: string, safeId: string): Promise<void> {
    await this.#own(accountId, safeId)
    const imports = await this.#parts.safes.remove(safeId, this.#parts.clock() + WORK_LEASE_MS)
    this.#inBackground(async () => {
      await this.#parts.indexes.remove(safeId)
      for (const id of imports) await dropRows(this.#parts, safeId, id, this.#stop.signal)
    })
  }

  /** Removes the Safes that would have no owner without this account. */
  async removeOwnedOnlyBy(accountId: string): Promise<void> {
    for (const safe of await this.readableBy(accountId)) {
      const owners = (await this.members(accountId, safe.id)).filter(member => member.role === 'owner')
      if (owners.length === 1 && owners[0]?.accountId === accountId) await this.remove(accountId, safe.id)
    }
  }

  readableBy(accountId: string): Promise<ReadableSafe[]> {
    return this.#parts.safes.readableBy(accountId)
  }

  async find(accountId: string, safeId: string): Promise<ReadableSafe | null> {
    const member = await this.membership(accountId, safeId)
    return member ? this.#parts.safes.readable(accountId, safeId) : null
  }

  membership(accountId: string, safeId: string): Promise<Membership | null> {
    return membershipOf(this.#parts.safes, accountId, safeId)
  }

  async share(ownerId: string, safeId: string, accountId: string, role: Role): Promise<void> {
    await this.#own(ownerId, safeId)
    const outcome = await this.#parts.safes.share(safeId, accountId, role, this.#parts.clock())
    if (outcome === 'no account') throw notFound('account')
    if (outcome === 'last owner') throw lastOwner()
  }

  async unshare(ownerId: string, safeId: string, accountId: string): Promise<void> {
    await this.#own(ownerId, safeId)
    const outcome = await this.#parts.safes.unshare(safeId, accountId)
    if (outcome === 'no member') throw notFound('member')
    if (outcome === 'last owner') throw lastOwner()
  }

  async members(accountId: string, safeId: string): Promise<{ accountId: string; role: Role }[]> {
    await requireReader(this.#parts.safes, accountId, safeId)
    return this.#parts.safes.members(safeId)
  }

  ask(accountId: string, safeId: string, question: Question): Promise<Answer> {
    return ask(this.#parts, accountId, safeId, question)
  }

  async import(accountId: string, safeId: string, options: ImportOptions): Promise<Import> {
    await this.#own(accountId, safeId)
    const begun = await beginImport(this.#parts, accountId, safeId, options)
    return this.#during(readImport(this.#parts, begun, options, this.#stop.signal))
  }

  async startImport(accountId: string, safeId: string, options: ImportOptions): Promise<Import> {
    await this.#own(accountId, safeId)
    const begun = await beginImport(this.#parts, accountId, safeId, options)
    this.#inBackground(() => readImport(this.#parts, begun, options, this.#stop.signal))
    return begun
  }

  async commitImport(accountId: string, safeId: string, importId: number): Promise<Import> {
    await this.#own(accountId, safeId)
    const { signal } = this.#stop
    return this.#during(commitImport(this.#parts, safeId, importId, signal, DECISION_PATIENCE_MS))
  }

  async undoImport(accountId: string, safeId: string, importId: number): Promise<void> {
    await this.#own(accountId, safeId)
    const leaseUntil = this.#parts.clock() + WORK_LEASE_MS
    if (!(await this.#parts.imports.undo(safeId, importId, leaseUntil))) throw notFound('import')
    this.#inBackground(() => dropRows(this.#parts, safeId, importId, this.#stop.signal))
  }

  async imports(accountId: string, safeId: string): Promise<Import[]> {
    await requireReader(this.#parts.safes, accountId, safeId)
    return this.#parts.imports.list(safeId)
  }

  async findImport(accountId: string, safeId: string, importId: number): Promise<Import | null> {
    await requireReader(this.#parts.safes, accountId, safeId)
    return this.#parts.imports.find(safeId, importId)
  }

  async export(accountId: string, safeId: string, format: string): Promise<Export> {
    const { name } = await requireReader(this.#parts.safes, accountId, safeId)
    return exportSafe(this.#parts, safeId, name, format, this.#stop.signal)
  }

  async createSample(accountId: string): Promise<Safe> {
    const safe = await this.create(accountId, SAMPLE_NAME)
    const filled = await this.import(accountId, safe.id, { ...openSample(), commit: true })
    if (filled.status !== 'committed')
      throw new DomainError(500, 'bad_sample', `The sample: ${filled.problem}`)
    return { ...safe, version: safe.version + 1 }
  }

  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
  }

  /** Drops what dead processes and undecided owners left behind. */
  sweep(): void {
    this.#inBackground(() => sweep(this.#parts, this.#stop.signal))
    this.#inBackground(() => this.#parts.indexes.sweep(this.#parts.clock()))
  }

  /** Breaks off what is under way; imports end as failed, unfinished clean-ups are left to the next `sweep`. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#parts.indexes.close()
    await this.settled()
  }

  #own(accountId: string, safeId: string): Promise<Membership> {
    return requireOwner(this.#parts.safes, accountId, safeId)
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
    void this.#during(work()).catch(this.#parts.onError)
  }
}

const lastOwner = () =>
  new DomainError(409, 'last_owner', 'A Safe keeps at least one owner. Make somebody else an owner first.')
