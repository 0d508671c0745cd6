import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Report } from '../../../domain/doctor/finding.js'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { showBytes, showTime } from '../../../platform/common/format.js'
import { systemTexts } from '../../../views/texts/system.js'
import { PageQuery, pageLinks, readPage } from '../list.js'
import type { TypedApp } from '../params.js'
import { accountOf, onlyAdmins } from '../signed-in.js'
import { findingRows, fineChecks } from './findings.js'
import { factsOf } from './system-facts.js'

interface SafeRow {
  /** Its id, if the administrator is not a member. */
  name: string
  isId: boolean
  facts: string
}

/** Safes per page. */
const SAFES = 50
const m = systemTexts

/** The state of this service, for administrators. */
export default async function systemPage(app: TypedApp) {
  app.addHook('preValidation', onlyAdmins)

  app.get('/system', { schema: { querystring: PageQuery } }, (request, reply) =>
    showSystem(request, app.doctor.latest, reply, request.query),
  )
  // Shown immediately: with several processes, the next request may reach another one.
  app.post('/system/check', async (request, reply) => showSystem(request, await app.doctor.run(), reply, {}))
}

async function showSystem(
  request: FastifyRequest,
  report: Report | null,
  reply: FastifyReply,
  { after }: { after?: string },
) {
  const { server } = request
  const list = await readPage(SAFES, after, page => server.safes.all(page))
  const ids = list.items.map(({ safe }) => safe.id)
  const own = await server.safes.readableAmong(accountOf(request).id, ids)
  const ownIds = new Set(own.map(({ id }) => id))
  return reply.page('system', {
    here: 'system',
    facts: await factsOf(server),
    checkedAt: report && m.checkedAt(showTime(report.at)),
    findings: findingRows(report?.results ?? []),
    fine: fineChecks(report?.results ?? []),
    settings: server.config.described.map(({ name, value, from }) => ({
      name,
      value: value || m.empty,
      from: m.from[from] ?? m.fromFile(from),
    })),
    safes: await Promise.all(list.items.map(({ safe }) => safeRow(server, safe, ownIds))),
    ...pageLinks('/system', list, after, ({ safe }) => ({ after: safe.id })),
  })
}

type AnySafe = Awaited<ReturnType<FastifyInstance['safes']['all']>>[number]['safe']

async function safeRow(app: FastifyInstance, safe: AnySafe, own: ReadonlySet<string>): Promise<SafeRow> {
  const bytes = await app.safes.indexes.fileBytes(safe.id)
  const isId = !own.has(safe.id)
  return {
    // Its name is only shown to its members (RULES S2).
    name: isId ? safe.id : safe.name,
    isId,
    facts: [...sizeTexts(safe.counts), m.indexFile(bytes === 0 ? null : showBytes(bytes))].join(' · '),
  }
}
