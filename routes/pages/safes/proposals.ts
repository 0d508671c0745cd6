import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { proposalsTexts } from '../../../views/texts/proposals.js'
import { PageQuery, pageLinks, readPage } from '../list.js'
import { ownSafe } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { fromWhom } from './proposal-view.js'
import { safeHead } from './safe-head.js'

/** Proposals per page. */
const PAGE = 50

const List = { params: SafeParams, querystring: PageQuery }
const Allow = { params: Type.Object({ safeId: Type.String(), connectionId: TextField(64) }) }

/** Assistants' proposals to a Safe, and connections that may not propose, for its owners (ADR 53). */
export default async function proposalPages(app: TypedApp) {
  app.get('/safes/:safeId/proposals', { schema: List }, showProposals)
  app.post('/safes/:safeId/proposals/allow/:connectionId', { schema: Allow }, allow)
}

async function showProposals(request: RequestOf<typeof List>, reply: FastifyReply) {
  const { proposals } = request.server
  const safe = await ownSafe(request)
  const { id } = accountOf(request)
  const { after } = request.query
  const list = await readPage(PAGE, after, page => proposals.pending(id, safe.id, page))
  const rejected = await proposals.rejected(id, safe.id)
  const head = safeHead(safe, 'documents', false)
  const path = `${head.path}/proposals`
  return reply.page('proposals', {
    here: 'safes',
    head,
    proposals: list.items.map(proposal => ({
      href: `${path}/${proposal.id}`,
      title: proposalsTexts.title(proposal),
      facts: fromWhom(proposal),
    })),
    ...pageLinks(path, list, after, ({ id }) => ({ after: id })),
    rejected: rejected.map(({ id: connectionId, name, email }) => ({
      name: `${name} (${email})`,
      action: `${path}/allow/${connectionId}`,
    })),
  })
}

async function allow(request: RequestOf<typeof Allow>, reply: FastifyReply) {
  const { id } = await ownSafe(request)
  await request.server.proposals.allowAgain(accountOf(request).id, id, request.params.connectionId)
  return reply.redirect(`/safes/${id}/proposals`, 303)
}
