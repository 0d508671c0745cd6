import type { GraphSource } from '../../../graph/model.js'
import type { GraphQuestion } from '../../../graph/modes/question.js'

const MANY = 100_000
const range = Array.from({ length: MANY }, (_, i) => i)
const day = 86_400_000

/** Everything that somebody could put into a Safe to make questions dear. */
export const costlyGraph: GraphSource = {
  async *identities() {},
  async *entities() {
    // One name for all of them; names that look alike; a type for every hundredth.
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
    // The first thousand know very many, by fifty predicates that all mean the same.
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

type Asked = Partial<GraphQuestion>
const words = (word: (i: number) => string, length: number) =>
  Array.from({ length: 400 }, (_, i) => word(i))
    .join(' ')
    .slice(0, length)
const twenty = (name: string) => Array.from({ length: 20 }, () => name)

export const costlyQuestions: Record<string, Asked> = {
  'a name of 100,000': { query: 'Meeting' },
  'a name of 100,000 in a question': { query: 'Who was at the meeting, and who at the Halt?' },
  'that name twenty times': { mode: 'entity', entities: twenty('Meeting') },
  'twenty such names, of a time': {
    mode: 'entity',
    entities: ['Tagebuch', 'Meeting (1)', ...twenty('Halt').slice(2)],
    since: 5 * day,
    until: 6 * day,
  },
  'a hub, of a time that has nothing': { mode: 'entity', entities: ['Tagebuch'], until: -1 },
  'many words, of a time': { query: words(i => `Hafen Treffen Haus alle Tagebuch${i}`, 2_048), since: 0 },
  'only a time': { mode: 'search', since: 0 },
  'only a time, and types': { mode: 'search', since: 0, types: twenty('Bahnhof') },
  '400 characters of unknown words': { query: words(i => `Qx${i}zrv`, 400) },
  '2,048 characters of unknown words': { query: words(i => `Qx${i}zrv`, 2_048) },
  'unknown words that look like names': { query: words(i => `Statoin Aplha ${i}x`, 2_048) },
  'one long word': { query: 'Statoinalpha'.repeat(170) },
  'names like 100,000 others': { query: 'Wo liegt Staton Alhpa?' },
  'twenty unknown names': { mode: 'entity', entities: twenty('').map((_, i) => `Statoin Aplha ${i}z`) },
  'a path between names of many meanings': { mode: 'path', from: 'Meeting', to: 'Halt' },
  'a path between the best connected': { mode: 'path', from: 'Meeting (1)', to: 'Meeting (999)' },
  'a path between those that many are called': { mode: 'path', from: 'Meeting', to: 'Treff' },
  'a walk of six steps': {
    mode: 'walk',
    entities: twenty('Meeting'),
    steps: Array.from({ length: 6 }, () => ({ relation: 'knows', direction: 'any' as const })),
  },
  'a walk of six steps from one': {
    mode: 'walk',
    entities: ['Meeting (1)'],
    steps: Array.from({ length: 6 }, () => ({ relation: 'knows', direction: 'any' as const })),
  },
  'a type, in other words': { query: 'Welche Leuchtturmarten gibt es?' },
  'an unknown type': { query: 'Zeige mir alle Bahnhofsvorsteherinnen' },
  'what there is': { mode: 'overview' },
  'what there is of twenty types': { mode: 'overview', types: twenty('Bahnhof') },
  'six phrases of other words': {
    query: 'Wer ist im Hafen?',
    otherWords: Array.from({ length: 6 }, () => 'Haus Treffen alle waren nicht Tagebuch Station'),
  },
}
