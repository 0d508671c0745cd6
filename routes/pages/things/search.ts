import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { pathWith } from '../list.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { answersView } from './answers-of-all.js'
import { documentsIn, namedDocuments } from './documents-of-all.js'
import { type Entered, enteredIn, questionOf } from './question-fields.js'
import { emptyPage, foundPage, SAFES } from './search-view.js'

/** Things shown of each Safe, documents of all, and Safes whose documents are searched by name. */
const [THINGS, DOCUMENTS, MAX_SAFES] = [5, 10, 50]
/** Maximum characters of a search for names. */
const MAX_NAME_LENGTH = 200

const Search = { querystring: Type.Object({ q: Type.Optional(TextField()) }) }

/** The answer page over all Safes of the account: their answers, and documents, things and Safes with similar names, as one list. */
export default async function searchPage(app: TypedApp) {
  app.get('/search', { schema: Search }, showSearch)
}

async function showSearch(request: RequestOf<typeof Search>, reply: FastifyReply) {
  const { safes, accounts } = request.server
  const { id } = accountOf(request)
  const text = request.query.q?.trim() ?? ''
  if (text === '') return reply.page('search', emptyPage)
  const entered = enteredIn({ q: text })
  const readable = await safes.readableBy(id, { limit: MAX_SAFES })
  const only = inOneSafe(entered, readable)
  if (only) return reply.redirect(only, 303)
  const question = questionOf(entered)
  // First the answers, which open the indexes that are searched for names.
  const answers = question
    ? await safes.questions.askAll(id, { ...question, limit: 8 })
    : { answers: [], weak: [], unasked: [] }
  const words = (entered.q ?? '').slice(0, MAX_NAME_LENGTH)
  const named = await safes.questions.search(id, words, { groups: SAFES, limit: THINGS })
  const which = namedDocuments(entered)
  const documents = which ? await documentsIn(request, readable, { ...which, limit: DOCUMENTS }) : []
  await accounts.noteQuestion(id)
  const found = { ...named, documents }
  return reply.page('search', foundPage(text, entered, found, await answersView(answers, text)))
}

/** The page of the Safe that `in:` names, with the rest of the question. */
function inOneSafe({ in: places = '', ...rest }: Entered, safes: readonly ReadableSafe[]): string | null {
  const names = places.split(',')
  const safe = safes.find(({ name }) => names.some(place => place.toLowerCase() === name.toLowerCase()))
  if (!safe) return null
  const others = names.filter(place => place.toLowerCase() !== safe.name.toLowerCase())
  return pathWith(`/safes/${safe.id}`, { ...rest, in: others.join(',') })
}
