import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Test } from 'tap'

/** Counts of attempts: taken for what is refused, too, because that is what they are for. */
const COUNTERS = /^(?:throttles$|throttle:|oauth:register:)/

/** What no refusal may tell: codes, tokens, password hashes, and how we are built. */
const SECRET = /svc_(?:ac|at|rt)_\w|[?&]code=|\$scrypt\$|\n\s+at |node_modules|SQLITE_|NOSCRIPT/

interface Answer {
  headers: Record<string, unknown>
  body: string
}

/**
 * Sends what is to be refused. Asserts that both stores are as they were before and that the answer tells no secret;
 * that it is a refusal, and which one, is for the caller to assert.
 */
export async function refused<T extends Answer>(
  t: Test,
  app: FastifyInstance,
  name: string,
  send: () => Promise<T>,
): Promise<T> {
  const answer = await writesNothing(t, app, name, send)
  t.notMatch(`${JSON.stringify(answer.headers)}\n${answer.body}`, SECRET, `${name}: nothing leaked`)
  return answer
}

/** Asserts that `work` leaves both stores as they were. Returns what it returns. */
export async function writesNothing<T>(
  t: Test,
  app: FastifyInstance,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const before = await stored(app)
  const result = await work()
  t.strictSame(await stored(app), before, `${name}: nothing written`)
  return result
}

/** All that both stores hold, but for counts: every row of every table, every key of Redis. */
export async function stored(app: FastifyInstance): Promise<Record<string, unknown>> {
  return { ...(await tables(app)), ...(await keys(app)) }
}

async function tables({ database }: FastifyInstance): Promise<Record<string, object[]>> {
  const found = (await database.read.introspection.getTables()).filter(({ name }) => !COUNTERS.test(name))
  const contents: Record<string, object[]> = {}
  // One after the other over one connection: each further one takes Postgres as long as all of them.
  for (const { name } of found) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(database.read)
    const kept = name === 'connections' ? rows.map(withoutUsage) : rows
    // Postgres gives them in the order of its choice.
    contents[name] = kept.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return contents
}

/** How often a connection was used is written every few seconds, whatever happens meanwhile. */
function withoutUsage(connection: object): object {
  const { calls, last_used_at, ...rest } = connection as Record<string, unknown>
  return rest
}

async function keys({ redis }: FastifyInstance): Promise<Record<string, string>> {
  if (!redis) return {}
  const names = (await redis.keys('*')).filter(name => !COUNTERS.test(name)).sort()
  const dumps = await Promise.all(names.map(async name => (await redis.dumpBuffer(name)) ?? Buffer.of()))
  return Object.fromEntries(names.map((name, i) => [name, dumps[i]?.toString('latin1') ?? '']))
}
