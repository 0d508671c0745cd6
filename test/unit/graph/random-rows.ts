import fc from 'fast-check'
import type {
  AliasRow,
  EntityRow,
  GraphSource,
  IdentityRow,
  PassageRow,
  RelationRow,
  Succession,
} from '../../../engine/graph/model.js'
import { normalizeName } from '../../../engine/graph/text/text.js'

/** The rows of one import. */
export interface Rows {
  entities: Omit<EntityRow, 'importId'>[]
  aliases: Omit<AliasRow, 'importId'>[]
  identities: Omit<IdentityRow, 'importId'>[]
  relations: Omit<RelationRow, 'importId' | 'id'>[]
  passages: Omit<PassageRow, 'importId' | 'id'>[]
}

/** Few names and words, so that imports repeat each other's; several languages, including two without spaces. */
const name = fc.constantFrom(
  'Ada',
  'Ada Byron',
  'The Byron',
  'Mill, Old',
  'Mühle',
  '東京',
  'a',
  'Nora (ship)',
)
const english = fc.constantFrom(
  'the',
  'of',
  'mill',
  'Mill',
  'mills',
  'USA',
  'turning',
  'ran.',
  '-',
  'Change',
  '7',
)
const others = fc.constantFrom(
  'die',
  'der',
  'große',
  'ist',
  'war',
  'le',
  'est',
  '東京は',
  'L’eau',
  'lámpa',
  'été',
)
const key = name.map(normalizeName)
const date = fc.option(fc.constantFrom('2019', '2020-05', '2021-06-07'), { freq: 2 })
/** Where somebody lives has one value at a time. */
export const succession: Succession = {
  predicates: new Set(['lives in']),
  learnedOn: importId => Date.UTC(2020, importId),
}
/** The rows of an import whose texts consist of such words. */
const rowsOf = (word: fc.Arbitrary<string>, before = ''): fc.Arbitrary<Rows> => {
  const text = fc.array(word, { minLength: 1, maxLength: 12 }).map(words => before + words.join(' '))
  return fc.record({
    entities: fc.uniqueArray(
      fc.record({
        key,
        name: fc.oneof(name, text),
        type: fc.option(fc.constantFrom('Person', 'person', 'place', ' ')),
      }),
      { maxLength: 3, selector: row => row.key },
    ),
    aliases: fc.array(fc.record({ entityKey: key, alias: fc.oneof(name, text) }), { maxLength: 2 }),
    identities: fc.array(fc.record({ key, sameAs: key }), { maxLength: 1 }),
    relations: fc.array(
      fc.record({
        subjectKey: key,
        predicate: fc.constantFrom('knows', 'is_a', 'isA', 'lives in'),
        objectKey: key,
        validFrom: date,
        validTo: date,
        learnedOn: date,
      }),
      { maxLength: 3 },
    ),
    passages: fc.array(
      fc.record({
        entityKey: key,
        title: fc.oneof(name, text),
        text,
        time: fc.option(fc.constantFrom(0, -1, 1.7e12)),
      }),
      { maxLength: 4 },
    ),
  })
}
export const rows = rowsOf(fc.oneof(name, english, others))
export const englishRows = rowsOf(
  fc.oneof(english, fc.constantFrom('Ada Byron', 'Mill, Old', 'Nora (ship)')),
  'the mill of the ',
)

/** New imports, and the numbers of those to hide, or to show again if they are hidden. */
export const changeOf = (rows: fc.Arbitrary<Rows>) =>
  fc.record({ added: fc.array(rows, { maxLength: 3 }), toggled: fc.array(fc.nat(20), { maxLength: 3 }) })

/** The rows of some imports, in the order of a database. */
export function sourceOf(
  imports: readonly Rows[],
  ids: readonly number[],
  follows: Succession | null = succession,
): GraphSource {
  const of = <Row>(rowsOf: (rows: Rows) => Row[]) =>
    ids.flatMap(importId =>
      rowsOf(
        imports[importId - 1] ?? { entities: [], aliases: [], identities: [], relations: [], passages: [] },
      ).map((row, at) => ({ ...row, importId, id: at + 1 })),
    )
  return {
    identities: () => pages(of(rows => rows.identities)),
    entities: () => pages(of(rows => rows.entities)),
    aliases: () => pages(of(rows => rows.aliases)),
    relations: () => pages(of(rows => rows.relations)),
    passages: () => pages(of(rows => rows.passages)),
    succession: async () => follows,
  }
}

async function* pages<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2)
}
