import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { cut, PageQuery, pageLinks, readPage } from '../list.js'
import { IdField, type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { withReads } from './connection-reads.js'
import { backTo, emptyText, endedRow, openRow } from './connections-view.js'

/** Connections per page, and ended connections shown below the open ones. */
const PAGE = 50
const ENDED_SHOWN = 10

const List = {
  querystring: Type.Intersect([
    PageQuery,
    Type.Object({ q: Type.Optional(TextField(100)), ended: Type.Optional(Type.Literal('1')) }),
  ]),
}
const OfConnection = { params: Type.Object({ connectionId: IdField() }) }
const Revoke = {
  ...OfConnection,
  body: Type.Optional(Type.Object({ alone: Type.Optional(Type.Literal('yes')) })),
}
const KeepQuestions = {
  ...OfConnection,
  body: Type.Object({ keep: Type.Union([Type.Literal('yes'), Type.Literal('no')]) }),
}

/** The assistants that can read this account's Safes, with buttons to end their connections. */
export default async function connectionPages(app: TypedApp) {
  app.get('/connections', { schema: List }, showConnections)
  app.post('/connections/:connectionId/revoke', { schema: Revoke }, revoke)
  app.post('/connections/:connectionId/questions', { schema: KeepQuestions }, keepQuestions)
}

async function showConnections(request: RequestOf<typeof List>, reply: FastifyReply) {
  const { after, q = '', ended } = request.query
  const search = q.trim()
  const onlyEnded = ended !== undefined
  // The first page also shows recently ended connections.
  const isFirst = !ended && !after && !search
  const { list, others } = await listed(request, request.query, isFirst)
  const connections = await withReads(request.server, accountOf(request).id, [...list.items, ...others.items])
  const open = connections.filter(connection => !connection.ended)
  const { more } = pageLinks('/connections', list, after, ({ cursor }) => ({ after: cursor }), {
    q: search,
    ended,
  })
  const count = connections.length
  const empty = emptyText({ search, onlyEnded, isFirst, count, open: open.length })
  return reply.page('connections', {
    here: 'connections',
    lead: onlyEnded ? connectionsTexts.endedLead : connectionsTexts.lead,
    searchable: search !== '' || more !== null || after !== undefined,
    search,
    ended: onlyEnded,
    empty,
    howTo: empty === connectionsTexts.none ? '/start#connect' : null,
    openConnections: open.map(row => openRow(row, request.server.config.hasProposals)),
    endedConnections: connections.filter(connection => connection.ended).map(endedRow),
    more,
    first: null,
    back: backTo({ search, onlyEnded, isFirstPage: !after }),
    revokeAll: !onlyEnded && (open.length > 1 || more !== null),
    moreEnded: others.hasMore,
  })
}

async function listed(
  request: FastifyRequest,
  { after, q = '', ended }: Static<typeof List.querystring>,
  isFirst: boolean,
) {
  const { connections } = request.server.oauth
  const { id } = accountOf(request)
  const kind = ended ? ('ended' as const) : ('open' as const)
  const list = await readPage(PAGE, after, page => connections.rows(id, { ...page, kind, search: q.trim() }))
  const others = isFirst ? await connections.rows(id, { kind: 'ended', limit: ENDED_SHOWN + 1 }) : []
  return { list, others: cut(others, ENDED_SHOWN) }
}

/** Ends all connections of the app, or only this one. */
async function revoke(request: RequestOf<typeof Revoke>, reply: FastifyReply) {
  const { connections } = request.server.oauth
  const { connectionId } = request.params
  const isAlone = request.body?.alone === 'yes'
  await connections[isAlone ? 'revoke' : 'revokeApp'](accountOf(request).id, connectionId)
  reply.says({ text: flashTexts.ended })
  return reply.redirect('/connections', 303)
}

async function keepQuestions(request: RequestOf<typeof KeepQuestions>, reply: FastifyReply) {
  const { connectionId } = request.params
  const keep = request.body.keep === 'yes'
  await request.server.oauth.connections.keepQuestions(accountOf(request).id, connectionId, keep)
  reply.says({
    text: flashTexts.questions(keep),
    undo: {
      path: `/connections/${connectionId}/questions`,
      fields: [['keep', keep ? 'no' : 'yes']],
    },
  })
  return reply.redirect(`/connections/${connectionId}`, 303)
}
