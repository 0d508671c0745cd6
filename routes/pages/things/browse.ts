import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import type { BrowseQuery } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { wholeList } from './browse-lists.js'
import { passageList } from './browse-passages.js'
import { relationList } from './browse-relations.js'
import { sourceList, thingList } from './browse-things.js'
import type { BrowsePage, Browsing } from './browse-view.js'

const BrowseFields = Type.Object({
  type: Type.Optional(TextField()),
  relation: Type.Optional(TextField()),
  of: Type.Optional(KeyField()),
  direction: Type.Optional(Type.Union([Type.Literal('out'), Type.Literal('in')])),
  source: Type.Optional(TextField()),
  search: Type.Optional(TextField()),
  passages: Type.Optional(Type.Literal('1')),
  about: Type.Optional(KeyField()),
  mentioning: Type.Optional(KeyField()),
  list: Type.Optional(Type.Union([Type.Literal('types'), Type.Literal('relations')])),
  sort: Type.Optional(Type.Union([Type.Literal('name'), Type.Literal('relations')])),
  after: Type.Optional(KeyField()),
  after_object: Type.Optional(KeyField()),
  after_period: Type.Optional(TextField()),
})
const Browse = { params: SafeParams, querystring: BrowseFields }

/** Everything in a Safe, as lists in pages. */
export default async function browsePages(app: TypedApp) {
  app.get('/safes/:safeId/browse', { schema: Browse }, showList)
}

async function showList(request: RequestOf<typeof Browse>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const at = { app: request.server, accountId: accountOf(request).id, safe, path: `/safes/${safe.id}` }
  return reply.page('browse', await listOf(at, request.query))
}

function listOf(at: Browsing, query: BrowseQuery): Promise<BrowsePage> {
  if (query.list !== undefined) return wholeList(at, query.list)
  if (query.relation !== undefined) return relationList(at, query, query.relation)
  if (query.passages !== undefined) return passageList(at, query)
  if (query.source !== undefined) return sourceList(at, query, query.source)
  return thingList(at, query)
}
