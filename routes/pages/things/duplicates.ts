import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { formPage } from '../form-page.js'
import { pathWith } from '../list.js'
import { ownSafe, type SafeRequest } from '../own-safe.js'
import { ImportNumber, KeyField, type RequestOf, SafeParams, type TypedApp } from '../params.js'
import { safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { changeNotice } from './change-notice.js'
import { type DuplicatesPage, pairView } from './duplicates-view.js'

interface DuplicatesContent {
  from?: string
  /** The import that has just merged two things. */
  done?: string
  /** Two things that were just marked as different. */
  apart?: string
  other?: string
  error?: string
}

const PAGE = 20
/** How long the page waits for the search. */
const PATIENCE_MS = 1_500

const FromField = Type.Optional(Type.String({ pattern: '^[0-9]{1,3}$' }))
const List = {
  params: SafeParams,
  querystring: Type.Object({
    from: FromField,
    done: Type.Optional(ImportNumber()),
    apart: Type.Optional(KeyField()),
    other: Type.Optional(KeyField()),
  }),
}
const Decide = {
  params: SafeParams,
  body: Type.Object({
    /** The keys of both things. */
    one: KeyField(),
    other: KeyField(),
    decision: Type.Union(['one', 'other', 'apart', 'again'].map(value => Type.Literal(value))),
    from: FromField,
  }),
}

/** Deciding which things of a Safe are the same, for its owners (ADR 56). */
export default async function duplicatePages(app: TypedApp) {
  app.get('/safes/:safeId/duplicates', { schema: List }, async (request, reply) =>
    showDuplicates(request, await ownSafe(request), reply, request.query),
  )
  app.post(
    '/safes/:safeId/duplicates',
    { schema: Decide },
    formPage({
      load: ownSafe,
      change: decide,
      show: showDuplicates,
      missing: () => notFound('thing').message,
    }),
  )
}

async function decide(request: RequestOf<typeof Decide>, { id: safeId }: ReadableSafe) {
  const { identity } = request.server.safes
  const { one, other, decision, from } = request.body
  const { id } = accountOf(request)
  const path = `/safes/${safeId}/duplicates`
  if (decision === 'again') {
    await identity.offerAgain(id, safeId, one, other)
    return path
  }
  if (decision === 'apart') {
    await identity.keepApart(id, safeId, one, other)
    return pathWith(path, { from, apart: one, other })
  }
  const [into, merged] = decision === 'one' ? [one, other] : [other, one]
  const { id: done } = await identity.merge(id, safeId, into, merged)
  return pathWith(path, { from, done })
}

async function showDuplicates(
  request: SafeRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { from: start = '0', done, apart, other, error }: DuplicatesContent,
) {
  const { server } = request
  const { id } = accountOf(request)
  const head = safeHead(safe, 'things', false)
  const path = `${head.path}/duplicates`
  const from = Number(start)
  const asked = { from, limit: PAGE, patienceMs: PATIENCE_MS }
  const page = await server.safes.identity.duplicates(id, safe.id, asked)
  const { items = [], total = 0 } = page ?? {}
  return reply.page<DuplicatesPage>('duplicates', {
    here: 'safes',
    head,
    path,
    isBusy: page === null,
    pairs: items.map(pair => pairView(head.path, pair, from)),
    count: total === 0 ? null : thingsTexts.duplicates.count(total),
    more: total > from + PAGE ? pathWith(path, { from: from + PAGE }) : null,
    first: from > 0 ? path : null,
    done: await changeNotice(server, id, safe, done),
    apart: apart === undefined || other === undefined ? null : { one: apart, other },
    error,
  })
}
