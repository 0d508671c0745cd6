import { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ActivityFilter, EntryList } from '../../../activity/activity.js'
import { activityKinds } from '../../../activity/entry.js'
import { notFound } from '../../../common/domain-error.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { PageQuery, pathWith } from '../list.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { activityCsv } from './activity-csv.js'
import {
  type Choice,
  choicesFrom,
  type EntryView,
  entryView,
  kindChoices,
  type ListView,
} from './activity-view.js'
import { type RecentLine, recentLine } from './recent.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    activity: ActivityPage
    'safe-activity': ActivityPage & { head: SafeHead }
  }
}

interface ActivityPage extends Page {
  lead: string
  /** The action of the filter. */
  path: string
  kinds: Choice[]
  assistants: Choice[]
  /** Empty on the page of a Safe. */
  safes: Choice[]
  isFiltered: boolean
  entries: EntryView[]
  /** The sentence for an empty list. */
  empty: string | null
  /** Links to the next page, to the first one, and to the whole list as CSV. */
  more: string | null
  first: string | null
  csv: string
  /** What the account should know and has not seen: on its own first page. */
  news: RecentLine[]
}

/** Notices shown at once; all are in the list as well. */
const NEWS_SHOWN = 20
/** Entries per page, and per part of a file. */
const PAGE = 50
const CSV_PAGE = 500

const Id = Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{0,64}$' }))
/** A form sends an empty value for "all". */
const ActivityQuery = Type.Intersect([
  PageQuery,
  Type.Object({
    kind: Type.Optional(Type.Union([...activityKinds, ''].map(kind => Type.Literal(kind)))),
    connection: Id,
    safe: Id,
  }),
])
type Query = Static<typeof ActivityQuery>
const SafeParams = Type.Object({ safeId: Type.String() })

/** What assistants and people did: of the account, and of each Safe. */
export default async function activityPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/activity', { schema: { querystring: ActivityQuery } }, async (request, reply) => {
    const { query } = request
    const { id } = accountOf(request)
    const list = await app.activity.ofAccount(id, { ...filterOf(query), after: query.after, limit: PAGE })
    const choices = await app.activity.choicesOfAccount(id)
    const page = pageOf(query, list, { path: '/activity', showsAccount: false, showsSafe: true })
    const assistants = choicesFrom(
      choices.assistants,
      query.connection ?? '',
      messages.activity.allAssistants,
    )
    const safes = choicesFrom(choices.safes, query.safe ?? '', messages.activity.allSafes)
    const news = await newsFor(request, page.isFiltered || query.after !== undefined)
    return reply.page('activity', { ...page, here: 'activity', lead: leadOf(false), assistants, safes, news })
  })

  /** What the account has not seen, which it sees now: whoever filters or pages is not looking for it. */
  async function newsFor(request: FastifyRequest, looksForOther: boolean): Promise<RecentLine[]> {
    if (looksForOther || request.method !== 'GET') return []
    const { id, email } = accountOf(request)
    const { ageOf } = app.activity
    const entries = await app.activity.see(id, NEWS_SHOWN)
    request.notices = 0
    return entries.map(entry => recentLine(entry, { email, showsSafe: true, ageOf }))
  }

  app.get(
    '/safes/:safeId/activity',
    { schema: { params: SafeParams, querystring: ActivityQuery } },
    async (request, reply) => {
      const { query } = request
      const { safeId } = request.params
      const { id } = accountOf(request)
      const safe = await app.safes.find(id, safeId)
      if (!safe) throw notFound('Safe')
      const filter = filterOf({ ...query, safe: '' })
      const list = await app.activity.ofSafe(id, safeId, { ...filter, after: query.after, limit: PAGE })
      const choices = await app.activity.choicesOfSafe(id, safeId)
      const isOwn = safe.role === 'owner'
      const path = `/safes/${safeId}/activity`
      return reply.page('safe-activity', {
        ...pageOf({ ...query, safe: '' }, list, { path, showsAccount: isOwn, showsSafe: false }),
        here: 'safes',
        head: safeHead(safe, 'activity'),
        lead: isOwn ? leadOf(true) : messages.activity.ownLead,
        assistants: choicesFrom(choices.assistants, query.connection ?? '', messages.activity.allAssistants),
        safes: [],
        news: [],
      })
    },
  )

  // HEAD requests would read the whole list for nothing.
  const csv = { exposeHeadRoute: false }
  app.get('/activity.csv', { schema: { querystring: ActivityQuery }, ...csv }, async (request, reply) => {
    const { id } = accountOf(request)
    const filter = filterOf(request.query)
    return sendCsv(reply, after => app.activity.ofAccount(id, { ...filter, after, limit: CSV_PAGE }))
  })

  app.get(
    '/safes/:safeId/activity.csv',
    { schema: { params: SafeParams, querystring: ActivityQuery }, ...csv },
    async (request, reply) => {
      const { id } = accountOf(request)
      const { safeId } = request.params
      if (!(await app.safes.membership(id, safeId))) throw notFound('Safe')
      const filter = filterOf({ ...request.query, safe: '' })
      return sendCsv(reply, after => app.activity.ofSafe(id, safeId, { ...filter, after, limit: CSV_PAGE }))
    },
  )

  function leadOf(isSafe: boolean): string {
    const { days } = app.activity
    if (days === 0) return messages.activity.off
    return isSafe ? messages.activity.safeLead(days) : messages.activity.lead(days)
  }
}

function filterOf({ kind, connection, safe }: Pick<Query, 'kind' | 'connection' | 'safe'>): ActivityFilter {
  const known = activityKinds.find(each => each === kind)
  return { kind: known, connectionId: connection || undefined, safeId: safe || undefined }
}

/** The parts that the two pages have in common. */
function pageOf(query: Query, { entries, next }: EntryList, view: ListView) {
  const { path } = view
  const { kind = '', connection = '', safe = '', after } = query
  const filters = { kind, connection, safe }
  const isFiltered = kind !== '' || connection !== '' || safe !== ''
  const none = isFiltered || after ? messages.activity.noMatch : messages.activity.none
  return {
    path,
    kinds: kindChoices(kind),
    isFiltered,
    entries: entries.map(entry => entryView(entry, view)),
    empty: entries.length > 0 ? null : next ? messages.activity.noMatchYet : none,
    more: next === null ? null : pathWith(path, { ...filters, after: next }),
    first: after ? pathWith(path, filters) : null,
    csv: pathWith(`${path}.csv`, filters),
  }
}

function sendCsv(reply: FastifyReply, read: (after?: string) => Promise<EntryList>) {
  return reply
    .header('Content-Type', 'text/csv; charset=utf-8')
    .header('Content-Disposition', 'attachment; filename="activity.csv"')
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .send(Readable.from(activityCsv(read), { objectMode: false, highWaterMark: 65_536 }))
}
