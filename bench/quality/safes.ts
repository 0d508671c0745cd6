import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Answer } from '../../domain/safes/ask/answer.js'
import { RowCollector } from '../../domain/safes/imports/rows.js'
import type { SafeContent } from '../../domain/safes/index/content.js'
import { IndexThread } from '../../domain/safes/index/index-thread.js'
import { Indexes } from '../../domain/safes/index/indexes.js'
import { Snapshots } from '../../domain/safes/index/snapshot.js'
import type { Question } from '../../domain/safes/safe.js'
import { safeStores } from '../../domain/safes/stores/safe-stores.js'
import type { StoredPassage } from '../../domain/safes/stores/types.js'
import { buildDomains } from '../../domains.js'
import type { GraphRecord } from '../../engine/graph/model.js'
import type { Ranking } from '../../engine/graph/retrieval/ranking.js'
import { loadConfig } from '../../plugins/config.js'
import type { QuestionSet } from './question-set.js'

/** Rows per read. */
const PAGE = 100

/** Sets in Safes of the service, without its server. */
export class BenchSafes {
  readonly #dataDir: string
  readonly #app: FastifyInstance
  readonly #reader: string
  readonly #stores: ReturnType<typeof safeStores>
  /** In addition to the service's own methods, which do not return the engine's raw results. */
  readonly #indexes: Indexes

  static async open(): Promise<BenchSafes> {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-quality-'))
    const app = await buildDomains({ config: loadConfig({ DATA_DIR: dataDir }) }, 'cli')
    await app.ready()
    const { id } = await app.accounts.add('reader@bench.example', 'a password for a bench')
    return new BenchSafes(dataDir, app, id)
  }

  constructor(dataDir: string, app: FastifyInstance, reader: string) {
    this.#dataDir = dataDir
    this.#app = app
    this.#reader = reader
    this.#stores = safeStores(app.database)
    const [snapshots, thread] = [new Snapshots(dataDir), new IndexThread({ dataDir })]
    this.#indexes = new Indexes({ contents: this.#stores.contents, snapshots, thread, maxBytes: 1e9 })
  }

  /** A Safe with the set's passages: notes by the import of a folder, others as entities named by their titles. */
  async load(set: QuestionSet): Promise<BenchSafe> {
    const { safes } = this.#app
    const { id } = await safes.create(this.#reader, set.name)
    const isFolder = set.passages.every(({ path }) => path !== undefined)
    await (isFolder ? this.#importFolder(id, set) : this.#importRows(id, set))
    const { version } = (await safes.find(this.#reader, id)) ?? { version: 0 }
    const content = await this.#indexes.get(id, version)
    return new BenchSafe(set, content, await this.#passages(id), question =>
      safes.questions.ask(this.#reader, id, question),
    )
  }

  async close(): Promise<void> {
    await this.#indexes.close()
    await this.#app.close()
    rmSync(this.#dataDir, { recursive: true })
  }

  async #importFolder(safeId: string, { passages }: QuestionSet): Promise<void> {
    const files = passages.map(({ path = '', text }) => ({
      path,
      open: async () => Readable.from([Buffer.from(text)]),
    }))
    const { status, problem } = await this.#app.safes.imports.add(this.#reader, safeId, {
      source: 'notes',
      files: { files, problems: [] },
      commit: true,
      skipBad: true,
    })
    if (status !== 'committed') throw new Error(`The notes were not imported: ${problem}`)
  }

  async #importRows(safeId: string, { passages }: QuestionSet): Promise<void> {
    const { imports } = this.#stores
    const lease = { leaseUntil: Date.now() + 3_600_000 }
    const counts = { entities: passages.length, relations: 0, passages: passages.length }
    const report = { counts, badLineCount: 0, badLines: [], problem: null, bytesRead: 0, bytesTotal: null }
    const by = { createdBy: this.#reader, at: Date.now() }
    const { id } = await imports.begin(safeId, { source: 'bench', format: 'jsonl', ...by, report, ...lease })
    const rows = new RowCollector()
    const write = async () => {
      const batch = rows.take()
      if (batch) await imports.append(safeId, id, batch, lease)
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
    await imports.finish(safeId, id, 'bench', lease)
    await imports.commit(safeId, id, Date.now())
  }

  /** All passages in the order of their ids, which begin at 1. */
  async #passages(safeId: string): Promise<StoredPassage[]> {
    const found: StoredPassage[] = []
    for (;;) {
      const refs = Array.from({ length: PAGE }, (_, at) => ({ importId: 1, id: found.length + at + 1 }))
      const rows = await this.#stores.contents.passages(safeId, refs)
      found.push(...rows.sort((a, b) => a.id - b.id))
      if (rows.length < PAGE) return found
    }
  }
}

type Ask = (question: Question) => Promise<Answer>

/** A set in a Safe. */
export class BenchSafe {
  /** As imported from the set. */
  readonly passages: readonly StoredPassage[]
  /** Passage of the Safe → passage of the set. */
  readonly positions: readonly number[]
  readonly #content: SafeContent
  readonly #ask: Ask

  constructor(set: QuestionSet, content: SafeContent, passages: StoredPassage[], ask: Ask) {
    this.passages = passages
    this.#content = content
    this.#ask = ask
    const byPath = new Map(set.passages.map(({ path }, at) => [path, at]))
    this.positions = passages.map(({ source }, at) => (source === null ? at : (byPath.get(source) ?? -1)))
  }

  /** The results of the engine alone for the default call. */
  async rank(query: string, otherWords?: string[]): Promise<Ranking> {
    const asked = { query, mode: 'auto' as const, limit: 10, offset: 0 }
    return (await this.#content.rank(otherWords ? { ...asked, otherWords } : asked)).ranking
  }

  /** The answer to a client. */
  answer(question: Question): Promise<Answer> {
    return this.#ask(question)
  }

  /** Positions in the set of a list of passages, in its order. */
  positionsOf(ids: readonly number[]): number[] {
    return ids.map(id => this.positions[id - 1] ?? -1)
  }
}
