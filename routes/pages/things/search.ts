import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type RequestOf, TextField } from '../params.js'
import { accountOf } from '../signed-in.js'
import { emptyPage, foundPage, SAFES } from './search-view.js'

/** Things shown of each Safe. */
const THINGS = 5

const Search = { querystring: Type.Object({ q: Type.Optional(TextField(200)) }) }

/** Things and Safes by name, in all Safes of the account. */
export default async function searchPage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/search', { schema: Search }, showSearch)
}

async function showSearch(request: RequestOf<typeof Search>, reply: FastifyReply) {
  const { safes } = request.server
  const { id } = accountOf(request)
  const text = request.query.q?.trim() ?? ''
  if (text === '') return reply.page('search', emptyPage)
  const found = await safes.search(id, text, { groups: SAFES, limit: THINGS })
  const isNothing = found.safes.length + found.things.length === 0
  const askable = isNothing ? await safes.readableBy(id, { limit: SAFES }) : []
  return reply.page('search', foundPage(text, found, askable))
}
