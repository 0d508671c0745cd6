import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { formPage } from '../form-page.js'
import { pathWith } from '../list.js'
import { ownSafe } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, type TypedApp } from '../params.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { showThing, type ThingContent } from './thing.js'

const ChangeNames = {
  params: SafeParams,
  body: Type.Object({
    /** The key of the thing. */
    thing: KeyField(),
    change: Type.Union([Type.Literal('merge'), Type.Literal('split'), Type.Literal('alias')]),
    /** The other thing, the one to split off, or the further name. */
    name: KeyField(),
  }),
}

type NamesRequest = RequestOf<typeof ChangeNames>

/** Owners' changes to the names of a thing (ADR 56). Each change is a small import, which can be undone. */
export default async function thingNamePages(app: TypedApp) {
  app.post(
    '/safes/:safeId/names',
    { schema: ChangeNames },
    formPage({
      load: ownSafe,
      change: changeNames,
      show: showAgain,
      entered: ({ body: { change, name } }) => ({ typed: change === 'split' ? {} : { [change]: name } }),
      missing: ({ body }) => thingsTexts.thing.unknownEnd(body.name),
    }),
  )
}

async function changeNames(request: NamesRequest, { id: safeId }: ReadableSafe) {
  const { identity } = request.server.safes
  const { thing, change, name } = request.body
  const { id } = accountOf(request)
  const { id: done } =
    change === 'merge'
      ? await identity.merge(id, safeId, thing, name)
      : change === 'split'
        ? await identity.split(id, safeId, name)
        : await identity.addName(id, safeId, thing, name)
  return pathWith(thingPath(`/safes/${safeId}`, thing), { done })
}

/** @throws notFound if the thing itself is missing */
async function showAgain(
  request: NamesRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  shown: ThingContent,
) {
  const key = request.body.thing
  const found = await request.server.safes.browse.thing(accountOf(request).id, safe.id, key)
  if (found.key === null) throw notFound('thing')
  return showThing(request, { safe, key }, reply, shown)
}
