import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { wantsPage } from '../../../plugins/errors.js'
import { readableSafe, type SafeRequest } from '../own-safe.js'
import { ImportNumber, KeyField, type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { browsePath, thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { changeNotice } from './change-notice.js'
import { linkTo } from './thing-link.js'
import { pathsView } from './thing-paths.js'
import { readsView } from './thing-reads.js'
import { showUnknown } from './thing-unknown.js'
import { thingPage } from './thing-view.js'
import { typeColours } from './type-colours.js'

/** The content of the page of a thing besides the thing. */
export interface ThingContent {
  /** The target of the requested path. */
  to?: string
  /** The import that has just changed its names. */
  done?: string
  error?: string
  /** The values of a rejected change. */
  typed?: { merge?: string; alias?: string }
}

const JumpTo = { params: SafeParams, querystring: Type.Object({ name: TextField() }) }
const OfThing = {
  params: Type.Object({ safeId: Type.String(), '*': KeyField() }),
  querystring: Type.Object({ to: Type.Optional(TextField()), done: Type.Optional(ImportNumber()) }),
}

/** A page about each thing of a Safe. The wildcard accepts keys of any length and with slashes. */
export default async function thingPages(app: TypedApp) {
  app.get('/safes/:safeId/things', { schema: JumpTo }, jump)
  app.get('/safes/:safeId/things/*', { schema: OfThing }, async (request, reply) =>
    showThing(request, { safe: await readableSafe(request), key: request.params['*'] }, reply, request.query),
  )
}

/** A name from a form: jumps to the thing, or lists the names with this beginning. */
async function jump(request: RequestOf<typeof JumpTo>, reply: FastifyReply) {
  const { safeId } = request.params
  const name = request.query.name.trim()
  const safePath = `/safes/${safeId}`
  if (name === '') return reply.redirect(`${safePath}/browse`, 303)
  const { key } = await request.server.safes.browse.thing(accountOf(request).id, safeId, name)
  return reply.redirect(key === null ? browsePath(safePath, { search: name }) : thingPath(safePath, key), 303)
}

/** Shows a thing; after a refused change of its names, with the reason. */
export async function showThing(
  request: SafeRequest,
  { safe, key }: { safe: ReadableSafe; key: string },
  reply: FastifyReply,
  { to: end = '', done, error, typed = {} }: ThingContent,
) {
  const { server } = request
  const { browse } = server.safes
  const { id } = accountOf(request)
  const safePath = `/safes/${safe.id}`
  const thing = await browse.thing(id, safe.id, key)
  if (thing.key === null) {
    if (!thing.exact && !wantsPage(request)) throw notFound('thing')
    return showUnknown(reply, safe, key, thing)
  }
  if (thing.key !== key && error === undefined) return reply.redirect(thingPath(safePath, thing.key), 303)
  const to = end.trim()
  const colours = await typeColours(server.safes, id, safe.id)
  const found = to === '' ? null : await browse.path(id, safe.id, thing.key, to)
  return reply.page('thing', {
    ...(await thingPage(safe, thing, colours)),
    reads: readsView(safePath, await server.activity.things.of(id, safe.id, thing.name)),
    to,
    paths: found && pathsView(safePath, found, { from: thing.name, to, colours }),
    alike: (found?.alike ?? []).map(named => linkTo(safePath, named)),
    done: await changeNotice(server, id, safe, done),
    typed,
    error,
  })
}
