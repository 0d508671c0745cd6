import type { GraphSource } from '../../../engine/graph/model.js'

const MANY = 100_000
const range = Array.from({ length: MANY }, (_, i) => i)
const day = 86_400_000

/** Content that somebody could put into a Safe to make questions expensive. */
export const costlyGraph: GraphSource = {
  async *identities() {},
  async *entities() {
    // One name for all; similar names; a type for every hundredth.
    yield range.map(i => ({ importId: 1, key: `meeting (${i})`, name: `Meeting (${i})`, type: null }))
    yield range.map(i => {
      const type = i % 100 === 0 ? `Leuchtturmart ${i}` : 'Bahnhof'
      return { importId: 1, key: `station alpha ${i}`, name: `Station Alpha ${i}`, type }
    })
    yield [{ importId: 1, key: 'tagebuch', name: 'Tagebuch', type: null }]
  },
  async *aliases() {
    yield range.map(i => ({ importId: 1, entityKey: `station alpha ${i}`, alias: 'Halt' }))
    yield range
      .slice(0, 50_000)
      .map(i => ({ importId: 1, entityKey: `meeting (${99_999 - i})`, alias: 'Treff' }))
  },
  async *relations() {
    const relation = (id: number, from: number, predicate: string, to: number) => ({
      ...{ importId: 1, id, predicate, subjectKey: `meeting (${from})`, objectKey: `meeting (${to % MANY})` },
    })
    // The first thousand know very many others, by fifty predicates with the same meaning.
    yield range.map(i => relation(i + 1, i % 1_000, `knows well ${i % 50}`, i * 7 + 1))
    yield range.map(i => relation(MANY + i + 1, i, `knows well ${i % 50}`, i * 13 + 5))
  },
  async *passages() {
    const texts = [
      'Er ist mit allen im Hafen',
      'Sie waren nicht da und haben es nicht',
      'Das Treffen ist bei uns im Haus',
    ]
    const passage = (i: number, entityKey: string) => ({
      ...{ importId: 1, id: i + 1, entityKey, title: entityKey, source: null, seq: null, time: i * day },
      text: `${texts[i % 3]} mit Tagebuch und Station Alpha ${i % 50}.`,
    })
    yield range.map(i => passage(i, 'tagebuch'))
    yield range.map(i => passage(MANY + i, 'meeting (1)'))
  },
}
