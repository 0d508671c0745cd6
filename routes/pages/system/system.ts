import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { showBytes, showTime } from '../../../common/format.js'
import { version } from '../../../common/package.js'
import type { CheckResult, Finding, Level, Report } from '../../../doctor/finding.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { cut, PageQuery, pathWith } from '../list.js'
import { countsOf } from '../safes/counts.js'
import { accountOf, onlyAdmins } from '../signed-in.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    system: SystemPage
  }
}

interface SystemPage extends Page {
  facts: NamedFact[]
  /** When the checks ran, or null. */
  checkedAt: string | null
  /** What the checks found, the worst first. */
  findings: FindingRow[]
  /** The names of the checks that found nothing. */
  fine: string
  settings: SettingRow[]
  safes: SafeRow[]
  /** Links to the next page of Safes and to the first one. */
  more: string | null
  first: string | null
}

interface NamedFact {
  name: string
  value: string
}

interface FindingRow extends Finding {
  check: string
  tag: string
  tagKind: string
}

interface SettingRow {
  name: string
  value: string
  from: string
}

interface SafeRow {
  /** Its id, where the administrator is no member. */
  name: string
  isId: boolean
  facts: string
}

const SAFES = 50
const m = messages.system

/** The state of this service, for administrators. */
export default async function systemPage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  app.addHook('preValidation', onlyAdmins)

  app.get('/system', { schema: { querystring: PageQuery } }, (request, reply) =>
    show(request, reply, app.doctor.latest, request.query.after),
  )

  // Shown at once: with several processes, the next request may reach another one.
  app.post('/system/check', async (request, reply) => show(request, reply, await app.doctor.run()))

  async function show(request: FastifyRequest, reply: FastifyReply, report: Report | null, after?: string) {
    const safes = cut(await app.safes.all({ limit: SAFES + 1, ...(after ? { after } : {}) }), SAFES)
    const ids = safes.items.map(({ safe }) => safe.id)
    const own = new Set((await app.safes.readableAmong(accountOf(request).id, ids)).map(({ id }) => id))
    return reply.page('system', {
      here: 'system',
      facts: await factsOf(app),
      checkedAt: report && m.checkedAt(showTime(report.at)),
      findings: findingRows(report?.results ?? []),
      fine: fineChecks(report?.results ?? []),
      settings: app.config.described.map(({ name, value, from }) => ({
        name,
        value: value || m.empty,
        from: m.from[from] ?? m.fromFile(from),
      })),
      safes: await Promise.all(safes.items.map(item => safeRow(app, item.safe, own))),
      more: safes.hasMore ? pathWith('/system', { after: ids.at(-1) }) : null,
      first: after ? '/system' : null,
    })
  }
}

async function factsOf(app: FastifyInstance): Promise<NamedFact[]> {
  const { config, database, redis, safes } = app
  const { bytes, safes: count } = safes.indexMemory
  const [databaseState, redisState] = await Promise.all([
    stateOf(() => database.ping()),
    redis ? stateOf(() => redis.ping()) : null,
  ])
  const startedAt = Date.now() - process.uptime() * 1000
  return [
    { name: m.version, value: m.versionOf(version, process.version) },
    { name: m.started, value: showTime(startedAt) },
    { name: config.databaseUrl ? 'Postgres' : m.embedded, value: databaseState },
    ...(redisState === null ? [] : [{ name: 'Redis', value: redisState }]),
    { name: m.backup, value: backupState(app) },
    { name: m.indexes, value: m.indexMemory(showBytes(bytes), showBytes(config.indexCacheBytes), count) },
  ]
}

/** Both stores fail within three seconds. */
async function stateOf(ping: () => Promise<unknown>): Promise<string> {
  const startedAt = performance.now()
  try {
    await ping()
    return m.answers((performance.now() - startedAt).toFixed(1))
  } catch {
    return m.unavailable
  }
}

function backupState(app: FastifyInstance): string {
  if (!app.config.backups) return m.noBackups
  try {
    const at = app.latestBackupAt()
    return at === null ? m.noBackupYet : showTime(at)
  } catch {
    return m.unavailable
  }
}

const TAGS: Record<Level, string> = { ok: 'good', note: '', warning: 'warn', problem: 'bad' }
const ORDER: Level[] = ['problem', 'warning', 'note']

function findingRows(results: readonly CheckResult[]): FindingRow[] {
  const { checks, levels } = messages.doctor
  const rows = results.flatMap(({ check, findings }) =>
    findings.map(finding => ({
      ...finding,
      check: checks[check],
      tag: levels[finding.level],
      tagKind: TAGS[finding.level],
    })),
  )
  return rows.sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
}

const fineChecks = (results: readonly CheckResult[]) =>
  results
    .filter(({ level }) => level === 'ok')
    .map(({ check }) => messages.doctor.checks[check])
    .join(', ')

type AnySafe = Awaited<ReturnType<FastifyInstance['safes']['all']>>[number]['safe']

async function safeRow(app: FastifyInstance, safe: AnySafe, own: ReadonlySet<string>): Promise<SafeRow> {
  const bytes = await app.safes.indexFileBytes(safe.id)
  const isId = !own.has(safe.id)
  return {
    // Its name is for its members (RULES S2).
    name: isId ? safe.id : safe.name,
    isId,
    facts: [...countsOf(safe.counts), m.indexFile(bytes === 0 ? null : showBytes(bytes))].join(' · '),
  }
}
