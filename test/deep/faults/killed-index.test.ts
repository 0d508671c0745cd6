// A process that is killed while it updates an index (ADR 17): the next one answers with everything that was committed, once.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import type { SetUp } from '../../helper.js'
import { seeded } from './seeded.js'

/** Rounds of each kind of work, each with another damage to the written files. */
const ROUNDS = 4
const PAUSE_MS = 10
/** More rows than are built on the main thread; each person adds two. */
const BASE = 3_500
const FEW = 20
/** More than 5 % of the rows, so that the index is built from all of them. */
const MANY = 500

t.test('kill -9 while an index is brought up to date (ADR 17)', async t => {
  await t.test('embedded', t => killOften(t, 'embedded'))
  await t.test('over Postgres and Redis, which share it', t => killOften(t, 'postgres'))
})

/** People who know each other in a row, under names of their own. */
const people = (mark: string, count: number) =>
  Array.from(
    { length: count },
    (_, i) => `<http://x/${mark}-${i}> <http://www.w3.org/2000/01/rdf-schema#label> "${mark} ${i}" .
<http://x/${mark}-${i}> <http://x/knows> <http://x/${mark}-${i + 1}> .`,
  ).join('\n')

async function killOften(t: Test, setUp: SetUp): Promise<void> {
  const { config, safeId, pair, visitor, ...service } = await seeded(t, setUp)
  const folder = join(config.dataDir, 'indexes')
  const start = async () => {
    const server = await service.start({ CALLS_PER_SECOND: '0' })
    visitor.url = server.url
    return server
  }
  const ask = async (args: object) => {
    const message = {
      id: 1,
      method: 'tools/call',
      params: { name: 'svc', arguments: { safe: safeId, ...args } },
    }
    const { body } = await visitor.call(pair, message, { 'mcp-protocol-version': '2025-06-18' })
    return JSON.parse(body).result.structuredContent
  }
  /** How many people each import has, and which imports were acknowledged. */
  const sent = new Map<string, number>()
  const acknowledged: string[] = []
  let count = 0
  const add = async (size: number) => {
    const mark = `Mark${++count}x`
    sent.set(mark, size)
    await visitor.import(safeId, `${mark}.nt`, people(mark, size))
    acknowledged.push(mark)
    return mark
  }
  const committed = async () => {
    const database = await openDatabase({ ...config, role: 'cli' })
    const rows = await database.read
      .selectFrom('imports')
      .where('status', '=', 'committed')
      .select('source')
      .execute()
    await database.close()
    return rows.map(({ source }) => source.replace('.nt', ''))
  }
  /** A process that answers for the first time returns everything that was committed, once. */
  const isWhole = async (round: string) => {
    const marks = await committed()
    t.same(
      acknowledged.filter(mark => !marks.includes(mark)),
      [],
      `${round}: nothing is lost`,
    )
    t.equal(new Set(marks).size, marks.length)
    const { summary } = await ask({ mode: 'overview' })
    const facts = marks.reduce((sum, mark) => sum + (sent.get(mark) ?? 0), 0)
    t.equal(summary.counts.facts, facts, `${round}: each fact of ${marks.length} imports counts once`)
    for (const mark of marks) {
      const answer = await ask({ mode: 'entity', entities: [`${mark} 0`] })
      t.match(
        answer,
        { total: 1, facts: [{ subject: `${mark} 0`, predicate: 'knows', object: `${mark} 1` }] },
        round,
      )
    }
    const unheard = [...sent.keys()].filter(mark => !marks.includes(mark)).at(-1)
    if (unheard) t.match(await ask({ mode: 'entity', entities: [`${unheard} 0`] }), { facts: undefined })
  }

  let server = await start()
  await add(BASE)
  await ask({ mode: 'overview' })
  cpSync(folder, `${folder}.older`, { recursive: true })

  /** Each prepares a round, then runs the work in which the process is killed. */
  const works: Record<string, { before?(): Promise<void>; run(): Promise<unknown> }> = {
    'a change is added': { run: async () => ask({ mode: 'entity', entities: [`${await add(FEW)} 0`] }) },
    'all rows are read': { run: async () => ask({ mode: 'entity', entities: [`${await add(MANY)} 0`] }) },
    'it is written and shared': {
      before: async () => {
        server.child.kill('SIGKILL')
        await server.ended
        rmSync(folder, { recursive: true, force: true })
        await forgetShared()
        server = await start()
      },
      run: () => ask({ mode: 'overview' }),
    },
  }
  const shared = async (statement: 'delete from index_snapshots' | typeof DAMAGE) => {
    if (setUp !== 'postgres') return
    const database = await openDatabase({ ...config, role: 'cli' })
    await sql.raw(statement).execute(database.read)
    await database.close()
  }
  const forgetShared = () => shared('delete from index_snapshots')

  for (const [name, { before, run }] of Object.entries(works)) {
    await before?.()
    // Duration of the undisturbed work, so that kills come at any moment of it.
    let pauses = 1
    const done = run().then(() => true)
    while (!(await Promise.race([done, pause(PAUSE_MS, false)]))) pauses++
    for (let round = 1; round <= ROUNDS; round++) {
      await before?.()
      const work = run().catch(() => {})
      // A little longer than the work takes, because an index is written after the answer.
      await pause(Math.random() * pauses * PAUSE_MS * 1.5)
      server.child.kill('SIGKILL')
      await server.ended
      await work
      const harm = ['nothing else', 'its file is damaged', 'its file is older', 'its files are gone'][
        round % 4
      ]
      if (harm === 'its file is damaged') {
        damage(folder)
        await shared(DAMAGE)
      } else if (harm === 'its file is older') cpSync(`${folder}.older`, folder, { recursive: true })
      else if (harm === 'its files are gone') rmSync(folder, { recursive: true, force: true })
      server = await start()
      await isWhole(`${name}, round ${round}, ${harm}`)
    }
  }
}

/** Turns bits in the middle of what processes share. */
const DAMAGE = `update index_parts set bytes = set_byte(bytes, length(bytes) / 2, 255 - get_byte(bytes, length(bytes) / 2))`

/** Turns bits in the middle of each file. */
function damage(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name))
    const middle = bytes.length >> 1
    bytes[middle] = 255 - (bytes[middle] ?? 0)
    writeFileSync(join(folder, name), bytes)
  }
}
