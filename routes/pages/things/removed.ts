import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { Page } from '../../../plugins/views.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { formPage } from '../form-page.js'
import { ownSafe, type SafeRequest } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'

interface RemovedPage extends Page {
  head: SafeHead
  path: string
  /** The item to be removed. */
  asked: { text: string; action: string; fields: [name: string, value: string][] } | null
  rows: { id: string; shown: string[]; isFact: boolean }[]
  more: boolean
}

/** Rows of the page. */
const ROWS = 200

const Fact = { subject: TextField(4096), predicate: TextField(4096), object: TextField(4096) }
const Asked = {
  params: SafeParams,
  querystring: Type.Partial(Type.Object({ ...Fact, passage: TextField(30) })),
}
const RemoveFact = { params: SafeParams, body: Type.Object(Fact) }
const RemovePassage = { params: SafeParams, body: Type.Object({ passage: TextField(30) }) }
const Restore = { params: SafeParams, body: Type.Object({ id: TextField(100) }) }

/** Facts and passages that owners remove from a Safe, and restore. */
export default async function removedPages(app: TypedApp) {
  const form = { load: ownSafe, show: showRemoved }
  app.get('/safes/:safeId/removed', { schema: Asked }, async (request, reply) =>
    showRemoved(request, await ownSafe(request), reply, askedOf(request)),
  )
  app.post('/safes/:safeId/removed/fact', { schema: RemoveFact }, formPage({ ...form, change: removeFact }))
  app.post(
    '/safes/:safeId/removed/passage',
    { schema: RemovePassage },
    formPage({ ...form, change: removePassage }),
  )
  app.post('/safes/:safeId/removed/restore', { schema: Restore }, formPage({ ...form, change: restore }))
}

/** The confirmation before something is removed. */
function askedOf({ params, query }: RequestOf<typeof Asked>): Pick<RemovedPage, 'asked'> {
  const { subject, predicate, object, passage } = query
  const path = `/safes/${params.safeId}/removed`
  const m = thingsTexts.removed
  if (passage)
    return { asked: { text: m.askPassage, action: `${path}/passage`, fields: [['passage', passage]] } }
  if (!subject || !predicate || !object) return { asked: null }
  const fields = Object.entries({ subject, predicate, object })
  return { asked: { text: m.askFact(subject, predicate, object), action: `${path}/fact`, fields } }
}

async function showRemoved(
  request: SafeRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { asked = null, error }: { asked?: RemovedPage['asked']; error?: string | undefined },
) {
  const all = await request.server.safes.removed.list(accountOf(request).id, safe.id)
  const head = safeHead(safe, 'things', false)
  const rows = all.slice(0, ROWS).map(({ id, kind, shown }) => ({ id, shown, isFact: kind === 'fact' }))
  const path = `${head.path}/removed`
  return reply.page<RemovedPage>('removed', {
    here: 'safes',
    head,
    path,
    asked,
    rows,
    more: all.length > ROWS,
    error,
  })
}

async function removeFact(request: RequestOf<typeof RemoveFact>, { id }: ReadableSafe, reply: FastifyReply) {
  const removed = await request.server.safes.removed.removeFact(accountOf(request).id, id, request.body)
  return done(reply, id, thingsTexts.removed.factDone, removed)
}

async function removePassage(
  request: RequestOf<typeof RemovePassage>,
  { id }: ReadableSafe,
  reply: FastifyReply,
) {
  const { passage } = request.body
  const removed = await request.server.safes.removed.removePassage(accountOf(request).id, id, passage)
  return done(reply, id, thingsTexts.removed.passageDone, removed)
}

function done(reply: FastifyReply, safeId: string, text: string, removed: string): string {
  const path = `/safes/${safeId}/removed`
  reply.says({ text, undo: { path: `${path}/restore`, fields: [['id', removed]] } })
  return path
}

async function restore(request: RequestOf<typeof Restore>, { id }: ReadableSafe, reply: FastifyReply) {
  await request.server.safes.removed.restore(accountOf(request).id, id, request.body.id)
  reply.says({ text: thingsTexts.removed.restored })
  return `/safes/${id}/removed`
}
