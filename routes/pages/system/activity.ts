import type { FastifyReply, FastifyRequest } from 'fastify'
import { activityTexts } from '../../../views/texts/activity.js'
import type { RequestOf, TypedApp } from '../params.js'

import { accountOf } from '../signed-in.js'
import { choicesFrom } from './activity-choices.js'
import { sendCsv } from './activity-csv.js'
import {
  ACTIVITY_PAGE,
  type ActivityPage,
  ActivityQuery,
  activityPage,
  CSV_PAGE,
  filterOf,
  zoneOf,
} from './activity-list.js'
import { type RecentLine, recentLine } from './recent.js'

/** Notices shown at once; all are in the list as well. */
const NEWS_SHOWN = 20

const List = { querystring: ActivityQuery }

type ListRequest = RequestOf<typeof List>

/** The actions of assistants and people with the account. */
export default async function activityPages(app: TypedApp) {
  app.get('/activity', { schema: List }, showActivity)
  // A HEAD request would read the whole list for nothing.
  app.get('/activity.csv', { schema: List, exposeHeadRoute: false }, sendActivity)
}

async function showActivity(request: ListRequest, reply: FastifyReply) {
  const { activity } = request.server
  const { query } = request
  const { id } = accountOf(request)
  const zone = zoneOf(request)
  const asked = { ...filterOf(query, zone), after: query.after, limit: ACTIVITY_PAGE }
  const list = await activity.ofAccount(id, asked)
  const choices = await activity.choicesOfAccount(id)
  const view = { path: '/activity', showsAccount: false, showsSafe: true }
  const page = activityPage(query, list, choices, view, { zone, now: activity.now() })
  return reply.page<ActivityPage>('activity', {
    ...page,
    here: 'activity',
    lead: activity.days === 0 ? activityTexts.off : activityTexts.lead(activity.days),
    safes: choicesFrom(choices.safes, query.safe ?? '', activityTexts.allSafes),
    news: page.isFiltered || query.after !== undefined ? [] : await newsFor(request),
  })
}

/** Unseen notices of the account, which it sees now; people who filter or page are not looking for them. */
async function newsFor(request: FastifyRequest): Promise<RecentLine[]> {
  if (request.method !== 'GET') return []
  const { activity } = request.server
  const { id, email } = accountOf(request)
  const entries = await activity.see(id, NEWS_SHOWN)
  request.notices = 0
  return entries.map(entry => recentLine(entry, { email, showsSafe: true, ageOf: activity.ageOf }))
}

async function sendActivity(request: ListRequest, reply: FastifyReply) {
  const { activity } = request.server
  const { id } = accountOf(request)
  const filter = filterOf(request.query, zoneOf(request))
  return sendCsv(reply, after => activity.ofAccount(id, { ...filter, after, limit: CSV_PAGE }))
}
