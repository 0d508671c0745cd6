import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../common/domain-error.js'
import { showNumber } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { SAMPLE_SOURCE, sampleQuestions } from '../../../safes/sample.js'
import { pathWith } from '../list.js'
import { TextField } from '../params.js'
import { refusal } from '../refusal.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { browsePath, thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { type RecentLine, recentLine } from '../system/recent.js'
import { type AnswerView, answerView } from './answer-view.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    safe: AskPage
  }
}

interface AskPage extends Page {
  head: SafeHead
  isEmpty: boolean
  question: string
  otherWords: string
  answer: AnswerView | null
  /** What can be asked and where to begin; without a question. */
  start: Start | null
  /** What happened last; without a question. */
  recent: RecentLine[]
  suggestUrl: string
}

interface Start {
  tries: { text: string; href: string }[]
  types: CountedLink[]
  hubs: CountedLink[]
}

interface CountedLink {
  name: string
  href: string
  count: string
}

const SHOWN = 8
const RECENT_SHOWN = 4

const SafeParams = Type.Object({ safeId: Type.String() })
const QuestionQuery = Type.Object({
  q: Type.Optional(TextField()),
  other_words: Type.Optional(TextField()),
  cursor: Type.Optional(TextField(4096)),
  /** Show an overview instead of asking a question. */
  overview: Type.Optional(Type.Literal('1')),
})

/** The first page of a Safe: its question box, and the answer. */
export default async function askPage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId',
    { schema: { params: SafeParams, querystring: QuestionQuery } },
    async (request, reply) => {
      const { id, email } = accountOf(request)
      const { safeId } = request.params
      const { q = '', other_words = '', cursor, overview } = request.query
      const [query, otherWords] = [q.trim(), other_words.trim()]
      const safe = await app.safes.find(id, safeId)
      if (!safe) throw notFound('Safe')
      const head = safeHead(safe, 'ask')
      const isEmpty = safe.counts.entities === 0
      const page: AskPage = {
        here: 'safes',
        head,
        isEmpty,
        question: query,
        otherWords,
        answer: null,
        start: null,
        recent: [],
        suggestUrl: `${head.path}/suggest`,
      }
      if (!query && !overview) {
        return reply.page('safe', {
          ...page,
          start: isEmpty ? null : await startOf(app, id, safeId, head.path),
          recent: (await app.activity.recentOfSafe(id, safeId, RECENT_SHOWN)).map(entry =>
            recentLine(entry, { email, showsSafe: false, ageOf: app.activity.ageOf }),
          ),
        })
      }
      try {
        const questionFields = query
          ? { query, form: 'text' as const, ...(otherWords && { otherWords }), ...(cursor && { cursor }) }
          : {}
        const answer = await app.safes.ask(id, safeId, questionFields)
        if (query) await app.accounts.noteQuestion(id)
        return reply.page('safe', { ...page, answer: answerView(answer, head.path, query, otherWords) })
      } catch (error) {
        return reply.page('safe', { ...page, error: refusal(error, reply) })
      }
    },
  )
}

async function startOf(
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
    types: types.map(({ name, count }) => ({
      name,
      href: browsePath(path, { type: name }),
      count: showNumber(count),
    })),
    hubs: hubs.map(({ key, name, count }) => ({
      name,
      href: thingPath(path, key),
      count: showNumber(count),
    })),
  }
}

/** Questions that the best connected things answer. */
function questionsAbout([first, second, third]: string[]): string[] {
  const m = messages.ask
  return [
    ...(first === undefined ? [] : [m.about(first)]),
    ...(first === undefined || second === undefined ? [] : [m.connection(first, second)]),
    ...(third === undefined ? [] : [m.about(third)]),
  ]
}
