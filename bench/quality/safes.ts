import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { GraphRecord } from '../../graph/model.js'
import type { Ranking } from '../../graph/retrieval/ranking.js'
import type { Answer } from '../../safes/ask/answer.js'
import { RowCollector } from '../../safes/imports/rows.js'
import { BuildsHere } from '../../safes/index/builds-here.js'
import type { Content } from '../../safes/index/content.js'
import { type BuiltIndex, openIndex } from '../../safes/index/index-build.js'
import { IndexThread } from '../../safes/index/index-thread.js'
import { Indexes } from '../../safes/index/indexes.js'
import { Snapshots } from '../../safes/index/snapshot.js'
import { Safes } from '../../safes/safes.js'
import type { ContentStore } from '../../safes/stores/content.sql.js'
import type { ImportStore } from '../../safes/stores/import.sql.js'
import { safeStores } from '../../safes/stores/safe-stores.js'
import type { StoredPassage } from '../../safes/stores/types.js'
import type { Database } from '../../storage/database.js'
import { openDatabase } from '../../storage/open-database.js'
import type { QuestionSet } from './question-set.js'

const READER = 'reader'
/** Rows that one read takes. */
const PAGE = 100

/** Safes as the service keeps them, but that a thread cannot be begun from TypeScript: indexes are opened here. */
export class BenchSafes {
  readonly #folder: string
  readonly #database: Database
  readonly #contents: ContentStore
  readonly #imports: ImportStore
  readonly #indexes: Indexes
  readonly #safes: Safes

  static async open(): Promise<BenchSafes> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-quality-'))
    const database = await openDatabase({ dataDir: folder, role: 'cli' })
    const account = { id: READER, email: 'reader@bench.example', password_hash: '', role: 'admin' as const }
    await database.write(trx =>
      trx
        .insertInto('accounts')
        .values({ ...account, session_epoch: 0, created_at: 0 })
        .execute(),
    )
    return new BenchSafes(folder, database)
  }

  constructor(folder: string, database: Database) {
    this.#folder = folder
    this.#database = database
    const stores = safeStores(database)
    this.#contents = stores.contents
    this.#imports = stores.imports
    const snapshots = new Snapshots(folder)
    this.#indexes = new Indexes({
      contents: this.#contents,
      snapshots,
      thread: new SameThread(this.#contents, snapshots),
      maxBytes: 1e9,
    })
    this.#safes = new Safes({
      ...stores,
      indexes: this.#indexes,
      activity: { record() {}, forgetSafe: async () => {} },
      clock: Date.now,
      baseUrl: 'https://svc.example.com',
      spoolFolder: join(folder, 'spool'),
      onError: error => {
        throw error
      },
    })
  }

  /** A Safe with the set's passages: notes by the import of a folder, others as entities that are called by their titles. */
  async load(set: QuestionSet): Promise<BenchSafe> {
    const { id } = await this.#safes.create(READER, set.name)
    const isFolder = set.passages.every(({ path }) => path !== undefined)
    await (isFolder ? this.#importFolder(id, set) : this.#importRows(id, set))
    const { version } = (await this.#safes.find(READER, id)) ?? { version: 0 }
    const started = process.cpuUsage()
    const content = await this.#indexes.get(id, version)
    const { user, system } = process.cpuUsage(started)
    return new BenchSafe(set, content, await this.#passages(id), (user + system) / 1e6, question =>
      this.#safes.questions.ask(READER, id, question),
    )
  }

  async close(): Promise<void> {
    await this.#safes.close()
    await this.#database.close()
    rmSync(this.#folder, { recursive: true })
  }

  async #importFolder(safeId: string, { passages }: QuestionSet): Promise<void> {
    const files = passages.map(({ path = '', text }) => ({
      path,
      open: async () => Readable.from([Buffer.from(text)]),
    }))
    const { status, problem } = await this.#safes.imports.add(READER, safeId, {
      source: 'notes',
      files: { files, problems: [] },
      commit: true,
      skipBad: true,
    })
    if (status !== 'committed') throw new Error(`The notes were not imported: ${problem}`)
  }

  async #importRows(safeId: string, { passages }: QuestionSet): Promise<void> {
    const lease = { leaseUntil: Date.now() + 3_600_000 }
    const counts = { entities: passages.length, relations: 0, passages: passages.length }
    const report = { counts, badLineCount: 0, badLines: [], problem: null, bytesRead: 0, bytesTotal: null }
    const start = { source: 'bench', format: 'jsonl', createdBy: READER, at: Date.now(), report, ...lease }
    const { id } = await this.#imports.begin(safeId, start)
    const rows = new RowCollector()
    const write = async () => {
      const batch = rows.take()
      if (batch) await this.#imports.append(safeId, id, batch, lease)
    }
    for (const { title, text } of passages) {
      const records: GraphRecord[] = [
        { kind: 'entity', id: title, name: title },
        { kind: 'passage', entity: title, title, text },
      ]
      for (const record of records) {
        if (rows.isFull) await write()
        rows.add(record)
      }
    }
    await write()
    await this.#imports.finish(safeId, id, 'bench', lease)
    await this.#imports.commit(safeId, id, Date.now())
  }

  /** All passages in the order of their ids, which begin at 1. */
  async #passages(safeId: string): Promise<StoredPassage[]> {
    const found: StoredPassage[] = []
    for (;;) {
      const refs = Array.from({ length: PAGE }, (_, at) => ({ importId: 1, id: found.length + at + 1 }))
      const rows = await this.#contents.passages(safeId, refs)
      found.push(...rows.sort((a, b) => a.id - b.id))
      if (rows.length < PAGE) return found
    }
  }
}

class SameThread extends IndexThread {
  readonly #contents: ContentStore
  readonly #snapshots: Snapshots

  constructor(contents: ContentStore, snapshots: Snapshots) {
    super({ dataDir: '' })
    this.#contents = contents
    this.#snapshots = snapshots
  }

  override open(safeId: string, pendingImport?: number): Promise<BuiltIndex> {
    const [contents, snapshots, builds] = [this.#contents, this.#snapshots, new BuildsHere(this.#contents)]
    return openIndex(
      {
        contents,
        snapshots,
        sharing: null,
        builds,
        tooLarge: new LRUCache({ max: 1 }),
        unsaved: { latest: null },
      },
      safeId,
      pendingImport,
    )
  }
}

type Ask = (question: { query: string; otherWords?: string[] }) => Promise<Answer>

/** A set in a Safe. */
export class BenchSafe {
  /** As the import has made them of the set's. */
  readonly passages: readonly StoredPassage[]
  readonly buildSeconds: number
  /** Passage of the Safe → passage of the set. */
  readonly positions: readonly number[]
  readonly #content: Content
  readonly #ask: Ask

  constructor(set: QuestionSet, content: Content, passages: StoredPassage[], buildSeconds: number, ask: Ask) {
    this.passages = passages
    this.buildSeconds = buildSeconds
    this.#content = content
    this.#ask = ask
    const byPath = new Map(set.passages.map(({ path }, at) => [path, at]))
    this.positions = passages.map(({ source }, at) => (source === null ? at : (byPath.get(source) ?? -1)))
  }

  /** What the engine alone finds by the default call. */
  async rank(query: string, otherWords?: string[]): Promise<Ranking> {
    const asked = { query, mode: 'auto' as const, limit: 10, offset: 0 }
    return (await this.#content.rank(otherWords ? { ...asked, otherWords } : asked)).ranking
  }

  /** What a client is answered by the default call. */
  answer(query: string, otherWords?: string[]): Promise<Answer> {
    return this.#ask(otherWords ? { query, otherWords } : { query })
  }

  /** Positions in the set of what stands in a list of passages, in its order. */
  positionsOf(ids: readonly number[]): number[] {
    return ids.map(id => this.positions[id - 1] ?? -1)
  }
}
