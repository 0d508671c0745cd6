import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { LIMITS } from '../../../domain/proposals/proposal.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { saysDone } from '../documents/undo.js'
import { formPage } from '../form-page.js'
import { ownSafe } from '../own-safe.js'
import { IdField, type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

import { choiceOf, type ProposalChoice, tickedOf } from './proposal-choice.js'
import { textRows } from './proposal-texts.js'
import { knownAbout, proposalView } from './proposal-view.js'

import { safeHead } from './safe-head.js'

interface ProposalContent {
  choice?: ProposalChoice
  error?: string
}

/** Each character of a proposal may take nine when it is encoded. */
const FORM_BYTES = 3 * 1024 * 1024

/** A field that occurs once for each statement. */
const Repeated = (field: ReturnType<typeof TextField>) =>
  Type.Optional(Type.Union([field, Type.Array(field, { maxItems: LIMITS.statements })]))

const OfProposal = { params: Type.Object({ safeId: Type.String(), proposalId: IdField() }) }
const Decide = {
  ...OfProposal,
  body: Type.Object({
    decision: Type.Union(
      (['accept', 'reject', 'reject-person', 'reject-always'] as const).map(decision =>
        Type.Literal(decision),
      ),
    ),
    /** The numbers of the ticked statements. */
    keep: Repeated(TextField(3)),
    subject: Repeated(TextField(LIMITS.name)),
    predicate: Repeated(TextField(LIMITS.name)),
    object: Repeated(TextField(LIMITS.object)),
    /** The same for texts: notes and edits. */
    write: Repeated(TextField(3)),
    text: Repeated(TextField(2 * LIMITS.textBytes)),
    version: Repeated(TextField(100)),
  }),
}

type ProposalRequest = RequestOf<typeof OfProposal>

/** Reviewing an assistant's proposal to a Safe, for its owners (ADR 53). */
export default async function proposalPage(app: TypedApp) {
  app.get('/safes/:safeId/proposals/:proposalId', { schema: OfProposal }, async (request, reply) =>
    showProposal(request, await ownSafe(request), reply, {}),
  )
  app.post(
    '/safes/:safeId/proposals/:proposalId',
    { schema: Decide, bodyLimit: FORM_BYTES },
    formPage({
      load: ownSafe,
      change: decide,
      show: showProposal,
      entered: ({ body }) => ({ choice: choiceOf(body) }),
    }),
  )
}

async function decide(request: RequestOf<typeof Decide>, { id: safeId }: ReadableSafe, reply: FastifyReply) {
  const { proposals } = request.server
  const { proposalId } = request.params
  const { id } = accountOf(request)
  const { decision } = request.body
  if (decision === 'accept') {
    const { statements, texts } = tickedOf(choiceOf(request.body))
    const written = await proposals.accept(id, safeId, proposalId, statements, texts)
    if (written) saysDone(reply, safeId, flashTexts.accepted, written)
    else reply.says({ text: flashTexts.accepted })
    return `/safes/${safeId}/proposals`
  }
  const all = { reject: undefined, 'reject-person': 'person', 'reject-always': 'always' } as const
  await proposals.reject(id, safeId, proposalId, all[decision])
  reply.says({ text: flashTexts.rejected })
  return `/safes/${safeId}/proposals`
}

async function showProposal(
  request: ProposalRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { choice, error }: ProposalContent,
) {
  const { server } = request
  const { id } = accountOf(request)
  const proposal = await server.proposals.find(id, safe.id, request.params.proposalId)
  const statements = choice?.statements ?? proposal.statements
  const known = await Promise.all(statements.map(statement => knownAbout(server, id, safe.id, statement)))
  const texts = await textRows(server, id, proposal, choice)
  const head = safeHead(safe, 'documents', false)
  return reply.page('proposal', {
    ...proposalView(head, proposal, choice ?? null, known, texts),
    error,
  })
}
