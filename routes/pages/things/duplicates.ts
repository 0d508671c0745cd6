import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../common/domain-error.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import type { Duplicate } from '../../../safes/identity/identity.js'
import { TextField } from '../forms.js'
import { pathWith } from '../list.js'
import { ownSafe } from '../own-safe.js'
import { formStatus } from '../refusal.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { type ChangeNotice, changeNotice, DONE_PATTERN } from './change-notice.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    duplicates: DuplicatesPage
  }
}

/** The view model of `views/duplicates.eta`. */
interface DuplicatesPage extends Page {
  head: SafeHead
  path: string
  /** Whether the search is still running. */
  isBusy: boolean
  pairs: PairView[]
  /** How many pairs there are. */
  count: string | null
  more: string | null
  first: string | null
  done: ChangeNotice | null
  /** Two things that were just called different. */
  apart: { one: string; other: string } | null
}

interface PairView {
  title: string
  why: string
  /** Where the decision is posted from, so that the next page is the same one. */
  from: number
  /** With what is known about them: "person · 3 relations · 1 passage". */
  things: { key: string; name: string; href: string; facts: string }[]
  common: { name: string; href: string }[]
  moreCommon: string | null
}

const PAGE = 20
/** How long the page waits for the search. */
const PATIENCE_MS = 1_500

const SafeParams = Type.Object({ safeId: Type.String() })
const FromField = Type.Optional(Type.String({ pattern: '^[0-9]{1,3}$' }))
/** A key can be as long as a name. */
const KeyField = TextField(4096)
const DuplicatesQuery = Type.Object({
  from: FromField,
  done: Type.Optional(Type.String({ pattern: DONE_PATTERN })),
  apart: Type.Optional(KeyField),
  other: Type.Optional(KeyField),
})
const DecideForm = Type.Object({
  /** The keys of both. */
  one: KeyField,
  other: KeyField,
  decision: Type.Union(['one', 'other', 'apart', 'again'].map(value => Type.Literal(value))),
  from: FromField,
})

/** Deciding which things of a Safe are one, for its owners (ADR 56). */
export default async function duplicatePages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId/duplicates',
    { schema: { params: SafeParams, querystring: DuplicatesQuery } },
    (request, reply) => show(request, reply, request.params.safeId, request.query),
  )

  app.post(
    '/safes/:safeId/duplicates',
    { schema: { params: SafeParams, body: DecideForm } },
    async (request, reply) => {
      const { safeId } = request.params
      const { one, other, decision, from } = request.body
      const safe = await ownSafe(app, request, safeId)
      const { id } = accountOf(request)
      const path = `/safes/${safe.id}/duplicates`
      try {
        if (decision === 'again') {
          await app.safes.identity.offerAgain(id, safeId, one, other)
          return reply.redirect(path, 303)
        }
        if (decision === 'apart') {
          await app.safes.identity.keepApart(id, safeId, one, other)
          return reply.redirect(pathWith(path, { from, apart: one, other }), 303)
        }
        const [into, merged] = decision === 'one' ? [one, other] : [other, one]
        const { id: done } = await app.safes.identity.merge(id, safeId, into, merged)
        return reply.redirect(pathWith(path, { from, done }), 303)
      } catch (error) {
        if (!(error instanceof DomainError) || ![400, 404, 409].includes(error.status)) throw error
        return show(request, reply.code(formStatus(error)), safeId, {}, error.message)
      }
    },
  )

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    safeId: string,
    {
      from: start = '0',
      done,
      apart,
      other,
    }: { from?: string; done?: string; apart?: string; other?: string },
    error?: string,
  ) {
    const safe = await ownSafe(app, request, safeId)
    const { id } = accountOf(request)
    const head = safeHead(safe, 'browse', false)
    const path = `${head.path}/duplicates`
    const from = Number(start)
    const asked = { from, limit: PAGE, patienceMs: PATIENCE_MS }
    const page = await app.safes.identity.duplicates(id, safeId, asked)
    const { items = [], total = 0 } = page ?? {}
    return reply.page('duplicates', {
      here: 'safes',
      head,
      path,
      isBusy: page === null,
      pairs: items.map(pair => pairView(head.path, pair, from)),
      count: total === 0 ? null : messages.duplicates.count(total),
      more: total > from + PAGE ? pathWith(path, { from: from + PAGE }) : null,
      first: from > 0 ? path : null,
      done: await changeNotice(app, id, safe, done),
      apart: apart === undefined || other === undefined ? null : { one: apart, other },
      error,
    })
  }
}

function pairView(
  safePath: string,
  { one, other, how, common, commonCount }: Duplicate,
  from: number,
): PairView {
  const { duplicates: m, safes: counts } = messages
  return {
    title: m.pair(one.name, other.name),
    why: m.why(how, commonCount),
    from,
    things: [one, other].map(({ key, name, type, relations, passages }) => ({
      ...{ key, name, href: thingPath(safePath, key) },
      facts: [...(type === null ? [] : [type]), counts.relations(relations), counts.passages(passages)].join(
        ' · ',
      ),
    })),
    common: common.map(({ key, name }) => ({ name, href: thingPath(safePath, key) })),
    moreCommon: commonCount > common.length ? m.more(commonCount - common.length) : null,
  }
}
