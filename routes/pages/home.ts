import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { Page } from '../../plugins/views.js'
import { type AssistantSteps, assistantSteps } from './assistant-steps.js'
import { countsOf } from './counts.js'
import { TextField } from './forms.js'
import { cut, PageQuery, pathWith } from './paging.js'
import { accountOf, onlySignedIn } from './signed-in.js'

declare module '../../plugins/views.js' {
  interface Pages {
    'no-account': Page
    home: HomePage
  }
}

interface HomePage extends Page {
  mcpUrl: string
  /** The service is reachable only from this computer. */
  isLocal: boolean
  assistants: AssistantSteps[]
  /** Safes that can be asked a question. */
  safes: { id: string; name: string }[]
  /** Links to further Safes and back to the first ones. */
  more: string | null
  first: string | null
  /** The first few Safes. */
  shownSafes: { path: string; name: string; size: string }[]
  /** Where to add a file to an own Safe. */
  addFile: string | null
}

/** Safes listed by name on the home page. */
const SHOWN = 5
/** Safes in the question box, per page. */
const SAFES_OFFERED = 100

const AskQuery = Type.Object({ safe: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }), q: TextField() })

export default async function homePage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const { baseUrl, brand } = app.config
  const mcpUrl = `${baseUrl}/mcp/v1`
  const isLocal = !baseUrl.startsWith('https:')

  app.get('/', { schema: { querystring: PageQuery } }, async (request, reply) => {
    if (!request.account) {
      if (await app.accounts.isEmpty()) return reply.page('no-account', {})
      return reply.redirect('/login', 303)
    }
    const { after } = request.query
    const page = { limit: SAFES_OFFERED + 1, ...(after ? { after } : {}) }
    const { items: safes, hasMore } = cut(
      await app.safes.readableBy(accountOf(request).id, page),
      SAFES_OFFERED,
    )
    if (after && safes.length === 0) return reply.redirect('/', 303)
    const own = safes.find(({ role }) => role === 'owner')
    return reply.page('home', {
      here: 'home',
      mcpUrl,
      isLocal,
      assistants: assistantSteps(brand, mcpUrl),
      safes,
      more: hasMore ? `${pathWith('/', { after: safes.at(-1)?.id })}#ask` : null,
      first: after ? '/#ask' : null,
      shownSafes: safes.slice(0, SHOWN).map(({ id, name, counts }) => {
        return { path: `/safes/${id}`, name, size: countsOf(counts).slice(0, 2).join(', ') }
      }),
      addFile: own ? `/safes/${own.id}/import` : null,
    })
  })

  /** The question box of the home page; the answer appears on the Safe's page. */
  app.get(
    '/ask',
    { schema: { querystring: AskQuery }, preValidation: onlySignedIn },
    async (request, reply) => {
      const { safe, q } = request.query
      return reply.redirect(`/safes/${safe}?${new URLSearchParams({ q })}`, 303)
    },
  )
}
