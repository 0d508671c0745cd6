import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { TextField } from './forms.js'
import { accountOf, onlySignedIn } from './signed-in.js'

const AskQuery = Type.Object({ safe: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }), q: TextField() })

export default async function homePage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const { baseUrl } = app.config
  const isLocal = !baseUrl.startsWith('https:')

  app.get('/', async (request, reply) => {
    if (!request.account) {
      if (await app.accounts.isEmpty()) return reply.view('no-account')
      return reply.redirect('/login', 303)
    }
    const safes = await app.safes.readableBy(accountOf(request).id)
    return reply.view('home', { here: 'home', mcpUrl: `${baseUrl}/mcp/v1`, isLocal, safes })
  })

  /** The question box of the home page: the answer stands on the Safe's own page. */
  app.get(
    '/ask',
    { schema: { querystring: AskQuery }, preValidation: onlySignedIn },
    async (request, reply) => {
      const { safe, q } = request.query
      return reply.redirect(`/safes/${safe}?${new URLSearchParams({ q })}`, 303)
    },
  )
}
