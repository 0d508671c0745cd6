import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { TextField } from './forms.js'
import { cut, PageQuery, pathWith } from './paging.js'
import { accountOf, onlySignedIn } from './signed-in.js'

/** Safes that a question can be asked of, on one page. */
const SAFES_OFFERED = 100

const AskQuery = Type.Object({ safe: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }), q: TextField() })

export default async function homePage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const { baseUrl } = app.config
  const isLocal = !baseUrl.startsWith('https:')

  app.get('/', { schema: { querystring: PageQuery } }, async (request, reply) => {
    if (!request.account) {
      if (await app.accounts.isEmpty()) return reply.view('no-account')
      return reply.redirect('/login', 303)
    }
    const { after } = request.query
    const page = { limit: SAFES_OFFERED + 1, ...(after ? { after } : {}) }
    const { items: safes, hasMore } = cut(
      await app.safes.readableBy(accountOf(request).id, page),
      SAFES_OFFERED,
    )
    if (after && safes.length === 0) return reply.redirect('/', 303)
    const more = hasMore ? `${pathWith('/', { after: safes.at(-1)?.id })}#ask` : null
    const mcpUrl = `${baseUrl}/mcp/v1`
    return reply.view('home', { here: 'home', mcpUrl, isLocal, safes, more, isFirst: !after })
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
