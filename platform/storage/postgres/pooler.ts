import { Client, type ClientConfig, DatabaseError } from 'pg'

/**
 * The software between this service and Postgres, as far as it matters. `none`: nothing, or something that behaves like
 * Postgres. `session`: a connection has its own session, but does not accept time limits when it opens.
 * `transaction`: each transaction may run in another session, so sessions have no lasting state.
 */
export type Pooler = 'none' | 'session' | 'transaction'

/** Distinguishes these connections from others in `pg_stat_activity`, where they may remain for a moment. */
const PROBE_NAME = 'svc-probe'

const LIMITS = { connectionTimeoutMillis: 3000, query_timeout: 2000 }
/** A value that nobody sets for a role. */
const PROBE_TIMEOUT = { sent: 86_399_999, shown: '86399999ms' }
const ROUNDS = 3

/** The message is for the user. */
class UnsuitablePooler extends Error {}

/** Detected by testing, because no pooler reports its mode (docs/decisions/0081). @throws errors of pg */
export async function findPooler(url: string): Promise<Pooler> {
  const [takesLimits, isShared] = await Promise.all([takesLimitsAtStart(url), sharesSessions(url)])
  if (isShared) return 'transaction'
  return takesLimits ? 'none' : 'session'
}

/** PgBouncer refuses these limits, or ignores them if they are in `ignore_startup_parameters`. */
async function takesLimitsAtStart(url: string): Promise<boolean> {
  const client = probe(url, { ...LIMITS, statement_timeout: PROBE_TIMEOUT.sent })
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('statement_timeout') as kept")
    return rows[0].kept === PROBE_TIMEOUT.shown
  } catch (error) {
    if (error instanceof DatabaseError && /startup parameter/.test(error.message)) return false
    throw error
  } finally {
    await end(client)
  }
}

/** Whether two connections share one session of Postgres, or one connection has several. */
async function sharesSessions(url: string): Promise<boolean> {
  const [one, other] = [probe(url, LIMITS), probe(url, LIMITS)]
  try {
    await Promise.all([one.connect(), other.connect()])
    const ofOne = new Set<number>()
    const ofOther = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      ofOne.add(await sessionOf(one))
      await other.query('begin')
      // Occupies its session, which a pooler would otherwise give to both, one after the other.
      ofOther.add(await sessionOf(other))
      const found = await sessionOf(one).catch(isWaiting)
      await other.query('commit')
      if (found === null) return true
      ofOne.add(found)
      ofOther.add(await sessionOf(other))
      if (ofOne.size > 1 || ofOther.size > 1 || [...ofOne].some(id => ofOther.has(id))) return true
    }
    return false
  } catch (error) {
    if (error instanceof DatabaseError && /statement pooling/.test(error.message))
      throw new UnsuitablePooler(
        'DATABASE_URL: the pooler is in statement mode. Set it to transaction or session mode.',
      )
    throw error
  } finally {
    await Promise.all([end(one), end(other)])
  }
}

/** A pooler with one session for all lets the other connection wait for it. */
function isWaiting(error: Error): null {
  if (error.message === 'Query read timeout') return null
  throw error
}

async function sessionOf(client: Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as id')
  return rows[0].id
}

/** A connection to look at a server. */
export function probe(connectionString: string, limits: ClientConfig): Client {
  const client = new Client({ connectionString, application_name: PROBE_NAME, ...limits })
  client.on('error', () => {})
  return client
}

const end = (client: Client) => client.end().catch(() => {})
