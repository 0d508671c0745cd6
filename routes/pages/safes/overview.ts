import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { renderAhead } from '../documents/render-ahead.js'
import type { SafeRequest } from '../own-safe.js'
import { accountOf } from '../signed-in.js'
import { recentLine } from '../system/recent.js'
import { startOf } from '../things/ask-start.js'
import { changeLine } from './latest-changes.js'
import { mapOf } from './map.js'
import { safeHead } from './safe-head.js'

const RECENT_SHOWN = 4
const CHANGES_SHOWN = 10

/** The overview of a Safe: its contents and their use. */
export async function showOverview(request: SafeRequest, safe: ReadableSafe, reply: FastifyReply) {
  const { activity } = request.server
  const { id, email } = accountOf(request)
  const head = safeHead(safe, 'overview')
  renderAhead(request, reply, safe.id)
  const isEmpty = safe.counts.entities === 0
  const recent = await activity.recentOfSafe(id, safe.id, RECENT_SHOWN)
  const changes = await request.server.safes.changes.latest(id, safe.id, CHANGES_SHOWN)
  return reply.page('safe', {
    here: 'safes',
    head,
    isEmpty,
    map: await mapOf(request.server, id, safe, head.path),
    start: isEmpty ? null : await startOf(request.server, id, safe.id, head.path),
    changes: changes.map(change => changeLine(head.path, change)),
    recent: recent.map(entry => recentLine(entry, { email, showsSafe: false, ageOf: activity.ageOf })),
  })
}
