import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { TextField } from '../params.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'

const SafeParams = Type.Object({ safeId: Type.String() })
const SuggestQuery = Type.Object({ q: TextField(200) })

/** Names suggested at once. */
const MOST = 8

/** Names that begin like what is being typed, for `public/suggest.js`. */
export default async function suggestRoute(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId/suggest',
    { schema: { params: SafeParams, querystring: SuggestQuery } },
    async (request, reply) => {
      const { safeId } = request.params
      const found = await app.safes.browse.suggest(
        accountOf(request).id,
        safeId,
        request.query.q.trim(),
        MOST,
      )
      const names = found.map(({ key, name, type, relations }) => ({
        name,
        type,
        relations,
        href: thingPath(`/safes/${safeId}`, key),
      }))
      return reply
        .header('Cache-Control', 'no-store')
        .header('X-Content-Type-Options', 'nosniff')
        .send({ names })
    },
  )
}
