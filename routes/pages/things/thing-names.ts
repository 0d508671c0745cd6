import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { DomainError, notFound } from '../../../common/domain-error.js'
import { messages } from '../../../messages.js'
import { TextField } from '../forms.js'
import { pathWith } from '../list.js'
import { ownSafe } from '../own-safe.js'
import { formStatus } from '../refusal.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { showThing } from './thing.js'

const SafeParams = Type.Object({ safeId: Type.String() })
const NamesForm = Type.Object({
  /** The key of the thing. */
  thing: TextField(4096),
  change: Type.Union([Type.Literal('merge'), Type.Literal('split'), Type.Literal('alias')]),
  /** The other thing, the one to split off, or the further name. */
  name: TextField(4096),
})

/** What owners change about the names of a thing (ADR 56). Each change is a small import, which can be undone. */
export default async function thingNamePages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.post(
    '/safes/:safeId/names',
    { schema: { params: SafeParams, body: NamesForm } },
    async (request, reply) => {
      const { safeId } = request.params
      const { thing, change, name } = request.body
      await ownSafe(app, request, safeId)
      const { identity } = app.safes
      const { id } = accountOf(request)
      try {
        const { id: done } =
          change === 'merge'
            ? await identity.merge(id, safeId, thing, name)
            : change === 'split'
              ? await identity.split(id, safeId, name)
              : await identity.addName(id, safeId, thing, name)
        return reply.redirect(pathWith(thingPath(`/safes/${safeId}`, thing), { done }), 303)
      } catch (error) {
        if (!(error instanceof DomainError) || ![400, 404, 409].includes(error.status)) throw error
        const isThere = (await app.safes.browse.thing(id, safeId, thing)).key !== null
        if (!isThere) throw notFound('thing')
        const sentence = error.status === 404 ? messages.thing.unknownEnd(name) : error.message
        const typed = change === 'split' ? {} : { [change]: name }
        return showThing(app, request, reply.code(formStatus(error)), safeId, thing, {
          error: sentence,
          typed,
        })
      }
    },
  )
}
