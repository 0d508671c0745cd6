import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { askTexts } from '../../../views/texts/ask.js'
import { renderAhead } from '../documents/render-ahead.js'
import { formPage } from '../form-page.js'
import { pathWith } from '../list.js'
import { readableSafe } from '../own-safe.js'
import { type RequestOf, SafeParams, type TypedApp } from '../params.js'
import { showOverview } from '../safes/overview.js'
import { safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { answerView } from './answer-view.js'
import { type Entered, enteredIn, MODES, placesOf, QuestionFields, questionOf } from './question-fields.js'

/** An answer, or the reason why there is none. */
type Shown = { answer?: Awaited<ReturnType<typeof answerView>>; error?: string }

const Asked = {
  params: SafeParams,
  /** `overview`: an overview as assistants get it, instead of a question. */
  querystring: Type.Intersect([QuestionFields, Type.Object({ overview: Type.Optional(Type.Literal('1')) })]),
}

type AskRequest = RequestOf<typeof Asked>

/** The first page of a Safe: its overview, or with a question the answer. */
export default async function askPage(app: TypedApp) {
  const answered = formPage({ load: readableSafe, change: ask, show: showAnswer })

  app.get('/safes/:safeId', { schema: Asked }, async (request, reply) => {
    const isAsked = questionOf(entered(request)) !== null || request.query.overview !== undefined
    return isAsked ? answered(request, reply) : showOverview(request, await readableSafe(request), reply)
  })
}

const entered = ({ query: { overview: _, ...fields } }: AskRequest) => enteredIn(fields)

async function ask(request: AskRequest, safe: ReadableSafe): Promise<Shown> {
  const { safes, accounts } = request.server
  const { id } = accountOf(request)
  const fields = entered(request)
  const question = questionOf(fields)
  const { cursor } = request.query
  const asked = question ? { ...question, ...(cursor && { cursor }) } : placesOf(fields)
  const answer = await safes.questions.ask(id, safe.id, asked)
  if (question) await accounts.noteQuestion(id)
  return { answer: await answerView(answer, `/safes/${safe.id}`, fields) }
}

async function showAnswer(request: AskRequest, safe: ReadableSafe, reply: FastifyReply, shown: Shown) {
  const head = safeHead(safe, 'overview', false)
  renderAhead(request, reply, safe.id)
  const fields = entered(request)
  const { q = '', other_words: _, ...exact } = fields
  return reply.page('answer', {
    here: 'safes',
    head,
    title: q || [fields.from, fields.to].filter(Boolean).join(' → ') || fields.types || head.name,
    searched: request.query.q?.trim() ?? '',
    entered: fields,
    modes: modesWith(fields.mode),
    isExact: Object.keys(exact).length > 0,
    everywhere: q === '' ? null : pathWith('/search', { q }),
    suggestUrl: `${head.path}/suggest`,
    answer: null,
    ...shown,
  })
}

/** The kinds of answers to choose from; without a choice, the question decides. */
const modesWith = (chosen: Entered['mode']) =>
  (['', ...MODES] as const).map(mode => ({
    value: mode,
    label: askTexts.answer.modes[mode || 'auto'],
    isChosen: mode === (chosen ?? ''),
  }))
