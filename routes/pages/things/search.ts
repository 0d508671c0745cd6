import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { answersView } from './answers-of-all.js'
import { emptyPage, foundPage, SAFES } from './search-view.js'

/** Things shown of each Safe. */
const THINGS = 5
/** Maximum characters of a search for names. */
const MAX_NAME_LENGTH = 200

const Search = { querystring: Type.Object({ q: Type.Optional(TextField()) }) }

/** The answer page over all Safes of the account: their answers, then similar names. */
export default async function searchPage(app: TypedApp) {
  app.get('/search', { schema: Search }, showSearch)
}

async function showSearch(request: RequestOf<typeof Search>, reply: FastifyReply) {
  const { safes, accounts } = request.server
  const { id } = accountOf(request)
  const text = request.query.q?.trim() ?? ''
  if (text === '') return reply.page('search', emptyPage)
  // First the answers, which open the indexes that are searched for names.
  const answers = await safes.questions.askAll(id, { query: text, form: 'text', limit: 8 })
  const found = await safes.questions.search(id, text.slice(0, MAX_NAME_LENGTH), {
    groups: SAFES,
    limit: THINGS,
  })
  await accounts.noteQuestion(id)
  return reply.page('search', foundPage(text, found, await answersView(answers, text)))
}
