import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Page } from '../../../plugins/views.js'
import type { ReadableSafe } from '../../../safes/safe.js'
import { formPage } from '../form-page.js'
import { readableSafe } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField } from '../params.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { type RecentLine, recentLine } from '../system/recent.js'
import { type AnswerView, answerView } from './answer-view.js'
import { type Start, startOf } from './ask-start.js'

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
  /** Where to look only, as it was entered. */
  places: string
  answer: AnswerView | null
  /** What can be asked and where to begin; without a question. */
  start: Start | null
  /** What happened last; without a question. */
  recent: RecentLine[]
  suggestUrl: string
}

/** An answer, why there is none, or what to begin with. */
type Shown = Partial<Pick<AskPage, 'answer' | 'start' | 'recent' | 'error'>>

const RECENT_SHOWN = 4

const Question = {
  params: SafeParams,
  querystring: Type.Object({
    q: Type.Optional(TextField()),
    other_words: Type.Optional(TextField()),
    /** Folders, tags and documents, separated by commas. */
    in: Type.Optional(TextField()),
    cursor: Type.Optional(TextField(4096)),
    /** Show an overview instead of asking a question. */
    overview: Type.Optional(Type.Literal('1')),
  }),
}

type QuestionRequest = RequestOf<typeof Question>

/** The first page of a Safe: its question box, and the answer. */
export default async function askPage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId',
    { schema: Question },
    formPage({ load: readableSafe, change: ask, show: showAsk }),
  )
}

async function ask(request: QuestionRequest, safe: ReadableSafe): Promise<Shown> {
  const { safes, accounts } = request.server
  const { question, otherWords, places } = askedIn(request)
  const { cursor, overview } = request.query
  if (!question && !overview) return beginning(request, safe)
  const { id } = accountOf(request)
  const fields = { query: question, form: 'text' as const, ...(otherWords && { otherWords }) }
  const part = placesIn(places)
  const asked = { ...(question ? fields : {}), ...(question && cursor && { cursor }) }
  const answer = await safes.ask(id, safe.id, { ...asked, ...(part.length > 0 && { in: part }) })
  if (question) await accounts.noteQuestion(id)
  return { answer: answerView(answer, `/safes/${safe.id}`, { question, otherWords, places }) }
}

async function beginning(request: QuestionRequest, safe: ReadableSafe): Promise<Shown> {
  const { activity } = request.server
  const { id, email } = accountOf(request)
  const isEmpty = safe.counts.entities === 0
  const recent = await activity.recentOfSafe(id, safe.id, RECENT_SHOWN)
  return {
    start: isEmpty ? null : await startOf(request.server, id, safe.id, `/safes/${safe.id}`),
    recent: recent.map(entry => recentLine(entry, { email, showsSafe: false, ageOf: activity.ageOf })),
  }
}

async function showAsk(request: QuestionRequest, safe: ReadableSafe, reply: FastifyReply, shown: Shown) {
  const head = safeHead(safe, 'overview')
  return reply.page('safe', {
    here: 'safes',
    head,
    isEmpty: safe.counts.entities === 0,
    ...askedIn(request),
    answer: null,
    start: null,
    recent: [],
    suggestUrl: `${head.path}/suggest`,
    ...shown,
  })
}

function askedIn({ query: { q = '', other_words = '', in: places = '' } }: QuestionRequest) {
  return { question: q.trim(), otherWords: other_words.trim(), places: places.trim() }
}

const placesIn = (places: string) =>
  places
    .split(',')
    .map(place => place.trim())
    .filter(Boolean)
