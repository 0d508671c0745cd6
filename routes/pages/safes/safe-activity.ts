import type { FastifyReply } from 'fastify'
import { activityTexts } from '../../../views/texts/activity.js'
import { readableSafe } from '../own-safe.js'
import { type RequestOf, SafeParams, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { sendCsv } from '../system/activity-csv.js'
import {
  ACTIVITY_PAGE,
  type ActivityPage,
  ActivityQuery,
  activityPage,
  CSV_PAGE,
  filterOf,
  zoneOf,
} from '../system/activity-list.js'
import { type SafeHead, safeHead } from './safe-head.js'

const List = { params: SafeParams, querystring: ActivityQuery }

type ListRequest = RequestOf<typeof List>

/** Actions of assistants and people in a Safe: everybody's for its owners, their own for readers. */
export default async function safeActivityPages(app: TypedApp) {
  app.get('/safes/:safeId/activity', { schema: List }, showActivity)
  // A HEAD request would read the whole list for nothing.
  app.get('/safes/:safeId/activity.csv', { schema: List, exposeHeadRoute: false }, sendActivity)
}

async function showActivity(request: ListRequest, reply: FastifyReply) {
  const { activity } = request.server
  const safe = await readableSafe(request)
  const query = { ...request.query, safe: '' }
  const { id } = accountOf(request)
  const zone = zoneOf(request)
  const asked = { ...filterOf(query, zone), after: query.after, limit: ACTIVITY_PAGE }
  const list = await activity.ofSafe(id, safe.id, asked)
  const choices = await activity.choicesOfSafe(id, safe.id)
  const isOwn = safe.role === 'owner'
  const { off, safeLead, ownLead } = activityTexts
  const head = safeHead(safe, 'overview')
  const view = { path: `${head.path}/activity`, showsAccount: isOwn, showsSafe: false }
  return reply.page<ActivityPage & { head: SafeHead }>('safe-activity', {
    ...activityPage(query, list, choices, view, { zone, now: activity.now() }),
    here: 'safes',
    head,
    lead: isOwn ? (activity.days === 0 ? off : safeLead(activity.days)) : ownLead,
    safes: [],
    news: [],
  })
}

async function sendActivity(request: ListRequest, reply: FastifyReply) {
  const { activity } = request.server
  const safe = await readableSafe(request)
  const { id } = accountOf(request)
  const filter = filterOf({ ...request.query, safe: '' }, zoneOf(request))
  return sendCsv(reply, after => activity.ofSafe(id, safe.id, { ...filter, after, limit: CSV_PAGE }))
}
