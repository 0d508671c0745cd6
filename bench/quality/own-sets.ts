import { readFileSync } from 'node:fs'
import { wordnetGlosses } from '../wordnet/convert.js'
import type { QuestionSet } from './question-set.js'
import { seeded } from './typos.js'

/** Small sets of our own, of other kinds than published ones, so that no parameter is fitted to one kind. */
export async function ownSets(): Promise<QuestionSet[]> {
  return [lighthouse(), invented(), await glosses()]
}

const LIGHTHOUSE_QUESTIONS: [string, ...string[]][] = [
  ['Who wrote the bird report and when are the eastern rocks closed?', 'Wanda Kowalczyk', 'Tern Watch'],
  ['What replaced the diesel generator?', 'Tidal Turbine'],
  ['how much did lime cost compared with cement', 'Decision 12: lime instead of cement'],
  ['Why are prisms ground by hand and not by a machine?', 'Decision 18: grind prisms by hand'],
  ['Which lighthouse leans?', 'Old Harbour Light'],
  ['who keeps the keys in a biscuit tin', 'Marit Solberg'],
  ['What did Ilse Brandt catalogue?', 'Ilse Brandt'],
  ['how many prisms of the lens of north skerry light were cracked', 'Lens Restoration'],
  ['What did Jonas Lindquist train as?', 'Jonas Lindqvist'],
  ['Which batteries cannot burn?', 'Bluewater Batteries'],
  [
    'How many votes was the decision to close the eastern rocks?',
    'Decision 21: close the eastern rocks in summer',
  ],
  ['where do guests sleep at gull point', 'Guest Rooms'],
]

/** The notes of a small graph, the sample of earlier versions, one passage per entity. */
function lighthouse(): QuestionSet {
  const file = new URL('../../test/fixtures/lighthouse-cooperative.jsonl', import.meta.url)
  const passages = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.includes('"observations"'))
    .map(line => JSON.parse(line) as { name: string; observations: string[] })
    .filter(({ observations }) => observations.length > 0)
    .map(({ name, observations }) => ({ title: name, text: observations.join(' ') }))
  const questions = LIGHTHOUSE_QUESTIONS.map(([question, ...gold]) => ({ question, gold }))
  return { name: 'sample Safe', passages, questions }
}

/** Invented books, writers and towns; questions of two steps, in lower case. */
function invented(): QuestionSet {
  const random = seeded(7)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const syllables = 'bra cel dor fen gal hib jus kel lom mar nid oss pru qua rin sol tav ulm vex wyn'.split(
    ' ',
  )
  const word = () => {
    const text = pick(syllables) + pick(syllables) + (random() < 0.5 ? pick(syllables) : '')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  const towns = Array.from({ length: 150 }, word)
  const writers = Array.from({ length: 300 }, () => ({ name: `${word()} ${word()}`, town: pick(towns) }))
  const books = Array.from({ length: 600 }, (_, at) => ({
    name: at % 3 === 0 ? word() : `The ${word()} of ${word()}`,
    writer: pick(writers),
    about: pick(writers),
  }))
  const passages = [
    ...towns.map(name => ({ title: name, text: `${name} is a town on a river, known for its market.` })),
    ...writers.map(({ name, town }) => ({
      title: name,
      text: `${name} is a novelist. The family moved often; the birthplace is ${town}, where a street bears the name.`,
    })),
    ...books.map(({ name, writer, about }) => ({
      title: name,
      text: `${name} is a novel by ${writer.name}. It is dedicated to ${about.name} and has sold many copies.`,
    })),
  ]
  const questions = books.slice(0, 100).map(({ name, writer, about }, at) => {
    const [asked, person] =
      at % 2 === 0 ? ['who is the novelist behind', writer] : ['to whom is dedicated', about]
    const two =
      at % 2 === 0
        ? `${asked} ${name} and where is the birthplace`
        : `birthplace of the person ${asked} ${name}`
    return { question: two.toLowerCase(), gold: [name, person.name] }
  })
  return { name: 'invented names, lower case', passages, questions }
}

/** WordNet: a noun's gloss, and the gloss of its hypernym. */
async function glosses(): Promise<QuestionSet> {
  const nouns = await wordnetGlosses()
  const random = seeded(11)
  const some = nouns.filter(() => random() < 0.1)
  const known = new Map(nouns.map(noun => [noun.name, noun]))
  const asked = some
    .filter(({ name, kindOf }) => name.length > 6 && known.has(kindOf) && kindOf !== name)
    .slice(0, 150)
  const passages = new Map(
    [...some, ...asked.flatMap(({ kindOf }) => known.get(kindOf) ?? [])].map(({ name, gloss }) => [
      name,
      gloss,
    ]),
  )
  return {
    name: 'WordNet glosses',
    passages: [...passages].map(([title, text]) => ({ title, text })),
    questions: asked.map(({ name, kindOf }) => ({
      question: `what sort of thing is ${name} and what does that mean`,
      gold: [name, kindOf],
    })),
  }
}
