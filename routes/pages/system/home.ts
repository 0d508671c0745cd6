import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import type { Page } from '../../../plugins/views.js'
import { PageQuery } from '../list.js'
import type { RequestOf, TypedApp } from '../params.js'
import { decisionsOf } from './decisions.js'
import { recentLine } from './recent.js'
import { showStart } from './start.js'

const SAFES_ON_HOME = 6
const RECENT_SHOWN = 8

const Home = { querystring: PageQuery }

/** The home page: the first steps, until an assistant is connected and a question was asked; then the latest activity. */
export default async function homePage(app: TypedApp) {
  app.get('/', { schema: Home }, showFirst)
}

async function showFirst(request: RequestOf<typeof Home>, reply: FastifyReply) {
  const { server, account, query } = request
  if (!account) {
    if (await server.accounts.records.isEmpty()) return reply.page<Page>('no-account', {})
    return reply.redirect('/login', 303)
  }
  if (!(await hasBegun(server, account.id))) return showStart(request, '/', reply, query)
  return showHome(server, account, reply)
}

/** Whether an assistant is or recently was connected, and this account has asked, on a page or with an assistant. */
async function hasBegun({ oauth, accounts, activity }: FastifyInstance, accountId: string): Promise<boolean> {
  const connections = await oauth.connections.listFor(accountId, { limit: 1 })
  if (connections.length === 0) return false
  if (await accounts.records.hasAsked(accountId)) return true
  const asked = await activity.ofAccount(accountId, { kind: 'question', limit: 1 })
  if (asked.entries.length === 0) return false
  // Entries expire.
  await accounts.noteQuestion(accountId)
  return true
}

async function showHome(app: FastifyInstance, { id, email }: Account, reply: FastifyReply) {
  const { activity } = app
  const [waiting, safes, entries] = await Promise.all([
    decisionsOf(app, id),
    lastUsed(app, id),
    activity.recentOfAccount(id, RECENT_SHOWN),
  ])
  return reply.page('home', {
    here: 'home',
    ...waiting,
    safes: safes.map(({ id, name, role, counts }) => ({
      path: `/safes/${id}`,
      name,
      isShared: role === 'reader',
      size: sizeTexts(counts).join(' · '),
    })),
    recent: entries.map(entry => recentLine(entry, { email, showsSafe: true, ageOf: activity.ageOf })),
  })
}

/** A few Safes, the most recently used first; then those never used, in the order of the list of Safes. */
async function lastUsed({ activity, safes }: FastifyInstance, accountId: string): Promise<ReadableSafe[]> {
  const used = (await activity.lastUsedSafes(accountId)).slice(0, SAFES_ON_HOME)
  const [named, first] = await Promise.all([
    safes.readableAmong(accountId, used),
    safes.readableBy(accountId, { limit: SAFES_ON_HOME }),
  ])
  const byId = new Map([...named, ...first].map(safe => [safe.id, safe]))
  const ids = new Set([...used, ...first.map(({ id }) => id)])
  return [...ids].flatMap(id => byId.get(id) ?? []).slice(0, SAFES_ON_HOME)
}
