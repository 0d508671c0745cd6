import { findFormat } from '../../../engine/formats/formats.js'
import { buildIndex } from '../../../engine/graph/index/build-index.js'
import type {
  AliasRow,
  EntityRow,
  GraphRecord,
  GraphSource,
  IdentityRow,
  PassageRow,
  RelationRow,
  RowRef,
} from '../../../engine/graph/model.js'
import type { GraphQuestion } from '../../../engine/graph/modes/auto-mode.js'
import { evaluate } from '../../../engine/graph/modes/evaluate.js'
import { query } from '../../../engine/graph/retrieval/query.js'
import type { Ranking } from '../../../engine/graph/retrieval/ranking.js'
import { normalizeName } from '../../../engine/graph/text/text.js'

/** Rows of imports as a database returns them, and the texts behind the references. */
export class Rows implements GraphSource {
  readonly #entities: EntityRow[] = []
  readonly #aliases: AliasRow[] = []
  readonly #identities: IdentityRow[] = []
  readonly #relations: (RelationRow & { subject: string; object: string })[] = []
  readonly #passages: PassageRow[] = []

  /** Reads a file as the next import; throws at the first bad line. */
  async add(format: string, content: string | Uint8Array): Promise<this> {
    const importId = Math.max(0, ...this.#all().map(row => row.importId)) + 1
    async function* bytes() {
      yield Buffer.from(content)
    }
    for await (const batch of findFormat(format)!.parse(bytes())) {
      for (const parsed of batch) {
        if ('problem' in parsed) throw new Error(`line ${parsed.line}: ${parsed.problem}`)
        this.#record(importId, parsed.record)
      }
    }
    return this
  }

  fact({ importId, id }: RowRef): string {
    const row = this.#relations.find(row => row.importId === importId && row.id === id)!
    return `${row.subject} | ${row.predicate} | ${row.object}`
  }

  passage({ importId, id }: RowRef): PassageRow {
    return this.#passages.find(row => row.importId === importId && row.id === id)!
  }

  identities = () => pages(this.#identities)
  entities = () => pages(this.#entities)
  aliases = () => pages(this.#aliases)
  relations = () => pages(this.#relations)
  passages = () => pages(this.#passages)

  #all() {
    return [...this.#entities, ...this.#identities, ...this.#aliases, ...this.#relations, ...this.#passages]
  }

  #record(importId: number, record: GraphRecord): void {
    const key = normalizeName
    if (record.kind === 'entity') {
      this.#entities.push({ importId, key: key(record.id), name: record.name, type: record.type ?? null })
    } else if (record.kind === 'alias') {
      this.#aliases.push({ importId, entityKey: key(record.entity), alias: record.alias })
    } else if (record.kind === 'same') {
      this.#identities.push({ importId, key: key(record.entity), sameAs: key(record.sameAs) })
    } else if (record.kind === 'relation') {
      const { kind: _, subject, object, ...fact } = record
      const id = this.#relations.length + 1
      const keys = { subjectKey: key(subject), objectKey: key(object) }
      this.#relations.push({ importId, id, subject, object, ...fact, ...keys })
    } else {
      const { title, text, time = null } = record
      const id = this.#passages.length + 1
      this.#passages.push({ importId, id, entityKey: key(record.entity), title, text, time })
    }
  }
}

/** An index of files in JSON Lines, each an import. */
export async function indexOf(...files: (string | Uint8Array)[]) {
  const rows = new Rows()
  for (const file of files) await rows.add('jsonl', file)
  return { rows, index: await buildIndex(rows) }
}

/** Files, each an import, and the results of a question with the texts of their rows. */
export async function askerOf(...files: [format: string, content: string | Uint8Array][]) {
  const rows = new Rows()
  for (const [format, content] of files) await rows.add(format, content)
  const index = await buildIndex(rows)
  const withTexts = <Found extends Pick<Ranking, 'facts' | 'passages'>>(ranking: Found) => ({
    ...ranking,
    ranking,
    said: ranking.facts.map(({ ref }) => rows.fact(ref)),
    texts: ranking.passages.map(({ ref }) => rows.passage(ref).text),
  })
  return {
    ...{ rows, index },
    ask: (question: Partial<GraphQuestion>) =>
      withTexts(evaluate(index, { limit: 50, offset: 0, ...question })),
    /** Searches, for all words of a question. */
    search: (question: string, more: Partial<GraphQuestion> = {}) =>
      withTexts(query(index, { query: question, limit: 10, offset: 0, ...more })),
  }
}

async function* pages<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 3) yield rows.slice(at, at + 3)
}
