import type { FastifyRequest } from 'fastify'

/** Hook: counts the notices that the account has not seen, for the navigation. One indexed read. */
export async function countNotices(request: FastifyRequest) {
  if (request.account) request.notices = await request.server.activity.unseen(request.account.id)
}
