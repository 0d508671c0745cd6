import type { FastifyInstance } from 'fastify'

export default async function homePage(app: FastifyInstance) {
  app.get('/', async (request, reply) => {
    if (!request.account) {
      if (await app.accounts.isEmpty()) return reply.view('no-account')
      return reply.redirect('/login', 303)
    }
    return reply.view('home', { here: 'home', mcpUrl: `${app.config.baseUrl}/mcp/v1` })
  })
}
