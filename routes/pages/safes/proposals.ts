import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../common/domain-error.js'
import { showTime } from '../../../common/format.js'
import { normalizeName } from '../../../graph/text/text.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { LIMITS, type Proposal, type Statement } from '../../../proposals/proposal.js'
import { isPassage } from '../../../proposals/statement-file.js'
import type { ReadableSafe } from '../../../safes/safe.js'
import { TextField } from '../forms.js'
import { cut, PageQuery, pathWith } from '../list.js'
import { ownSafe } from '../own-safe.js'
import { accountOf } from '../signed-in.js'
import { type SafeHead, safeHead } from './safe-head.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    proposals: ProposalsPage
    proposal: ProposalPage
  }
}

/** The view model of `views/proposals.eta`. */
interface ProposalsPage extends Page {
  head: SafeHead
  proposals: { href: string; title: string; isUnverified: boolean; facts: string }[]
  more: string | null
  first: string | null
  /** Connections whose proposals are always rejected. */
  rejected: { name: string; isUnverified: boolean; action: string }[]
}

/** The view model of `views/proposal.eta`. */
interface ProposalPage extends Page {
  head: SafeHead
  title: string
  isUnverified: boolean
  from: string
  /** The label of the button that rejects everything of this person. */
  rejectPerson: string
  note: string | null
  source: string | null
  statements: StatementRow[]
  action: string
  back: string
}

interface StatementRow extends Statement {
  /** The value of its checkbox. */
  number: number
  isTicked: boolean
  legend: string
  /** Whether one of its texts needs the whole width. */
  isLong: boolean
  /** What the Safe knows already (the same, or other objects of the same subject and predicate), or what becomes of it. */
  known: string | null
}

const PAGE = 50
/** A longer text gets the whole width. */
const SHORT = 60
/** Known objects that are shown beside a statement. */
const KNOWN = 5
/** Every character of a proposal may take nine when it is encoded. */
const FORM_BYTES = 512 * 1024

const SafeParams = Type.Object({ safeId: Type.String() })
const ProposalParams = Type.Object({
  safeId: Type.String(),
  proposalId: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }),
})
const ConnectionParams = Type.Object({ safeId: Type.String(), connectionId: TextField(64) })

/** A field that occurs once for each statement. */
const Repeated = (field: ReturnType<typeof TextField>) =>
  Type.Optional(Type.Union([field, Type.Array(field, { maxItems: LIMITS.statements })]))

const DecideForm = Type.Object({
  decision: Type.Union(
    (['accept', 'reject', 'reject-person', 'reject-always'] as const).map(decision => Type.Literal(decision)),
  ),
  /** The numbers of the ticked statements. */
  keep: Repeated(TextField(3)),
  subject: Repeated(TextField(LIMITS.name)),
  predicate: Repeated(TextField(LIMITS.name)),
  object: Repeated(TextField(LIMITS.object)),
})

type Choice = { statements: Statement[]; ticked: Set<number> }

/** Reviewing what assistants propose to add to a Safe, for its owners (ADR 53). */
export default async function proposalPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId/proposals',
    { schema: { params: SafeParams, querystring: PageQuery } },
    async (request, reply) => {
      const safe = await ownSafe(app, request, request.params.safeId)
      const { id } = accountOf(request)
      const { after } = request.query
      const page = { limit: PAGE + 1, ...(after ? { after } : {}) }
      const { items, hasMore } = cut(await app.proposals.pending(id, safe.id, page), PAGE)
      const head = safeHead(safe, 'files', false)
      const path = `${head.path}/proposals`
      return reply.page('proposals', {
        here: 'safes',
        head,
        proposals: items.map(proposal => ({
          href: `${path}/${proposal.id}`,
          title: messages.proposals.title(proposal.assistant, proposal.statements.length),
          isUnverified: !proposal.isVerified,
          facts: fromWhom(proposal),
        })),
        more: hasMore ? pathWith(path, { after: items.at(-1)?.id }) : null,
        first: after ? path : null,
        rejected: (await app.proposals.rejected(id, safe.id)).map(
          ({ id: connectionId, name, isVerified, email }) => ({
            name: `${name} (${email})`,
            isUnverified: !isVerified,
            action: `${path}/allow/${connectionId}`,
          }),
        ),
      })
    },
  )

  app.get(
    '/safes/:safeId/proposals/:proposalId',
    { schema: { params: ProposalParams } },
    async (request, reply) => {
      const { safeId, proposalId } = request.params
      const safe = await ownSafe(app, request, safeId)
      return show(request, reply, safe, await app.proposals.find(accountOf(request).id, safeId, proposalId))
    },
  )

  app.post(
    '/safes/:safeId/proposals/:proposalId',
    { schema: { params: ProposalParams, body: DecideForm }, bodyLimit: FORM_BYTES },
    async (request, reply) => {
      const { safeId, proposalId } = request.params
      const { decision } = request.body
      const safe = await ownSafe(app, request, safeId)
      const { id } = accountOf(request)
      const choice = choiceOf(request.body)
      try {
        if (decision === 'accept') {
          const ticked = choice.statements.filter((_statement, i) => choice.ticked.has(i))
          await app.proposals.accept(id, safeId, proposalId, ticked)
        } else if (decision === 'reject') await app.proposals.reject(id, safeId, proposalId)
        else if (decision === 'reject-person') await app.proposals.rejectPerson(id, safeId, proposalId)
        else await app.proposals.rejectAlways(id, safeId, proposalId)
      } catch (error) {
        if (!(error instanceof DomainError) || ![400, 409].includes(error.status)) throw error
        const proposal = await app.proposals.find(id, safeId, proposalId)
        return show(request, reply.code(error.status), safe, proposal, choice, error.message)
      }
      return reply.redirect(`/safes/${safeId}/proposals`, 303)
    },
  )

  app.post(
    '/safes/:safeId/proposals/allow/:connectionId',
    { schema: { params: ConnectionParams } },
    async (request, reply) => {
      const { safeId, connectionId } = request.params
      await ownSafe(app, request, safeId)
      await app.proposals.allowAgain(accountOf(request).id, safeId, connectionId)
      return reply.redirect(`/safes/${safeId}/proposals`, 303)
    },
  )

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    safe: ReadableSafe,
    proposal: Proposal,
    choice: Choice | null = null,
    error?: string,
  ) {
    const head = safeHead(safe, 'files', false)
    const { id } = accountOf(request)
    const statements = choice?.statements ?? proposal.statements
    const known = await Promise.all(statements.map(statement => knownAbout(id, safe.id, statement)))
    return reply.page('proposal', {
      here: 'safes',
      head,
      title: messages.proposals.title(proposal.assistant, proposal.statements.length),
      isUnverified: !proposal.isVerified,
      from: fromWhom(proposal),
      rejectPerson: messages.proposals.rejectPerson(proposal.email),
      note: proposal.note,
      source: proposal.source,
      statements: statements.map((statement, i) => ({
        ...statement,
        number: i,
        isTicked: choice?.ticked.has(i) ?? true,
        legend: messages.proposals.statement(i + 1),
        isLong: [statement.subject, statement.predicate, statement.object].some(text => text.length > SHORT),
        known: known[i] ?? null,
      })),
      action: `${head.path}/proposals/${proposal.id}`,
      back: `${head.path}/proposals`,
      error,
    })
  }

  /** What the Safe says about the subject with this predicate, or that the statement becomes a passage. */
  async function knownAbout(accountId: string, safeId: string, statement: Statement): Promise<string | null> {
    if (isPassage(statement)) return messages.proposals.passage
    const { subject, predicate, object } = statement
    const key = normalizeName(subject)
    const asked = { predicate, key, direction: 'out' as const, limit: KNOWN }
    const { items, hasMore } = await app.safes.browse.relations(accountId, safeId, asked)
    const names = items.map(({ object }) => object.name)
    if (names.length === 0) return null
    const isSame = items.some(item => item.object.key === normalizeName(object))
    return isSame ? messages.proposals.same : messages.proposals.known(names.join(', '), hasMore)
  }
}

const fromWhom = ({ email, createdAt }: Proposal) => messages.proposals.from(email, showTime(createdAt))

function choiceOf({ keep, subject, predicate, object }: Record<string, unknown>): Choice {
  const [subjects, predicates, objects] = [subject, predicate, object].map(list)
  const statements = (subjects ?? []).map((subject, i) => {
    return { subject, predicate: predicates?.[i] ?? '', object: objects?.[i] ?? '' }
  })
  return { statements, ticked: new Set(list(keep).map(Number)) }
}

const list = (field: unknown): string[] => [field ?? []].flat() as string[]
