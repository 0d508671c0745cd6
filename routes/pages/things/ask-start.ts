import type { FastifyInstance } from 'fastify'
import { SAMPLE_SOURCE, sampleQuestions } from '../../../domain/safes/sample.js'
import { showNumber } from '../../../platform/common/format.js'
import { askTexts } from '../../../views/texts/ask.js'
import { pathWith } from '../list.js'
import { thingPath } from '../safes/safe-links.js'
import { typeLinks } from './browse-lists.js'
import type { CountedLink } from './thing-link.js'

/** Suggested questions and starting points. */
interface Start {
  tries: { text: string; href: string }[]
  types: CountedLink[]
  hubs: CountedLink[]
}

/** Maximum questions, types and things shown. */
const SHOWN = 8

/** Suggested questions to a Safe and starting points. */
export async function startOf(
  app: FastifyInstance,
  accountId: string,
  safeId: string,
  path: string,
): Promise<Start> {
  const { browse } = app.safes
  const [{ types, hubs }, sample] = await Promise.all([
    browse.contents(accountId, safeId, SHOWN),
    browse.thingsFrom(accountId, safeId, { source: SAMPLE_SOURCE, limit: 1 }),
  ])
  const questions = sample ? sampleQuestions() : questionsAbout(hubs.map(({ name }) => name))
  return {
    tries: questions.slice(0, SHOWN).map(text => ({ text, href: pathWith(path, { q: text }) })),
    types: typeLinks(path, types),
    hubs: hubs.map(({ key, name, count }) => ({
      name,
      href: thingPath(path, key),
      count: showNumber(count),
    })),
  }
}

/** Questions that the best connected things answer. */
function questionsAbout([first, second, third]: string[]): string[] {
  const m = askTexts.questions
  return [
    ...(first === undefined ? [] : [m.about(first)]),
    ...(first === undefined || second === undefined ? [] : [m.connection(first, second)]),
    ...(third === undefined ? [] : [m.about(third)]),
  ]
}
