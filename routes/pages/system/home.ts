import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../../accounts/account.js'
import type { Page } from '../../../plugins/views.js'
import type { ReadableSafe } from '../../../safes/safe.js'
import { type AssistantSteps, assistantSteps } from '../connections/assistant-steps.js'
import { cut, PageQuery, pathWith } from '../list.js'
import { TextField } from '../params.js'
import { countsOf } from '../safes/counts.js'
import { accountOf, onlySignedIn } from '../signed-in.js'
import { type Decision, decisionsOf } from './decisions.js'
import { type RecentLine, recentLine } from './recent.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'no-account': Page
    start: StartPage
    home: HomePage
  }
}

/** The first steps. */
interface StartPage extends Page {
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

interface HomePage extends Page {
  decisions: Decision[]
  /** The most recently used first. */
  safes: { path: string; name: string; isShared: boolean; size: string }[]
  recent: RecentLine[]
}

/** Safes listed by name. */
const SHOWN = 5
/** Safes in the question box, per page. */
const SAFES_OFFERED = 100
const SAFES_ON_HOME = 6
const RECENT_SHOWN = 8

const AskQuery = Type.Object({ safe: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }), q: TextField() })

/** The home page: the first steps, until an assistant is connected and a question was asked; then what goes on. */
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
    const account = accountOf(request)
    if (!(await hasBegun(account.id))) return showStart(account, reply, '/', request.query.after)
    return showHome(account, reply)
  })

  /** The first steps again, to connect another assistant. */
  app.get(
    '/start',
    { schema: { querystring: PageQuery }, preValidation: onlySignedIn },
    async (request, reply) => showStart(accountOf(request), reply, '/start', request.query.after),
  )

  /** The question box of the first steps; the answer appears on the Safe's page. */
  app.get(
    '/ask',
    { schema: { querystring: AskQuery }, preValidation: onlySignedIn },
    async (request, reply) => {
      const { safe, q } = request.query
      return reply.redirect(`/safes/${safe}?${new URLSearchParams({ q })}`, 303)
    },
  )

  /** Whether an assistant is or recently was connected, and this account has asked, on a page or with an assistant. */
  async function hasBegun(accountId: string): Promise<boolean> {
    const connections = await app.oauth.connections.listFor(accountId, { limit: 1 })
    if (connections.length === 0) return false
    if (await app.accounts.hasAsked(accountId)) return true
    const asked = await app.activity.ofAccount(accountId, { kind: 'question', limit: 1 })
    if (asked.entries.length === 0) return false
    // Entries expire.
    await app.accounts.noteQuestion(accountId)
    return true
  }

  async function showStart({ id }: Account, reply: FastifyReply, path: string, after?: string) {
    const page = { limit: SAFES_OFFERED + 1, ...(after ? { after } : {}) }
    const { items: safes, hasMore } = cut(await app.safes.readableBy(id, page), SAFES_OFFERED)
    if (after && safes.length === 0) return reply.redirect(path, 303)
    const own = safes.find(({ role }) => role === 'owner')
    return reply.page('start', {
      here: 'home',
      mcpUrl,
      isLocal,
      assistants: assistantSteps(brand, mcpUrl),
      safes,
      more: hasMore ? `${pathWith(path, { after: safes.at(-1)?.id })}#ask` : null,
      first: after ? `${path}#ask` : null,
      shownSafes: safes.slice(0, SHOWN).map(({ id, name, counts }) => {
        return { path: `/safes/${id}`, name, size: countsOf(counts).slice(0, 2).join(', ') }
      }),
      addFile: own ? `/safes/${own.id}/import` : null,
    })
  }

  async function showHome({ id, email }: Account, reply: FastifyReply) {
    const { activity } = app
    const [decisions, safes, entries] = await Promise.all([
      decisionsOf(app, id),
      lastUsed(id),
      activity.recentOfAccount(id, RECENT_SHOWN),
    ])
    return reply.page('home', {
      here: 'home',
      decisions,
      safes: safes.map(({ id, name, role, counts }) => ({
        path: `/safes/${id}`,
        name,
        isShared: role === 'reader',
        size: countsOf(counts).join(' · '),
      })),
      recent: entries.map(entry => recentLine(entry, { email, showsSafe: true, ageOf: activity.ageOf })),
    })
  }

  /** A few Safes, the most recently used first; then those never used, in the order of the list of Safes. */
  async function lastUsed(accountId: string): Promise<ReadableSafe[]> {
    const used = (await app.activity.lastUsedSafes(accountId)).slice(0, SAFES_ON_HOME)
    const [named, first] = await Promise.all([
      app.safes.readableAmong(accountId, used),
      app.safes.readableBy(accountId, { limit: SAFES_ON_HOME }),
    ])
    const byId = new Map([...named, ...first].map(safe => [safe.id, safe]))
    const ids = new Set([...used, ...first.map(({ id }) => id)])
    return [...ids].flatMap(id => byId.get(id) ?? []).slice(0, SAFES_ON_HOME)
  }
}
