import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { prepareQuestions } from '../../../engine/graph/text/languages/prepare-questions.js'
import { open as openSignedIn } from '../../integration/pages/open.js'

const SAFES = 5_000
const CONNECTIONS = 50_000

/** Ann, signed in, with very many Safes and connections. */
async function open(t: Test) {
  const { app, browser, id } = await openSignedIn(t)
  await app.oauth.issueTokens(id, { clientName: 'Claude' })
  await app.accounts.noteQuestion(id)
  const [ann, now] = [sql.lit(id), sql.lit(Date.now())]
  const report = JSON.stringify({
    counts: { entities: 0, relations: 0, passages: 0 },
    badLineCount: 0,
    badLines: [],
  })
  const numbers = (count: number) =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`
  const safe = await app.safes.create(id, 'Safe')
  for (const statement of [
    sql`${numbers(SAFES)} insert into safes (id, name, version, content_hash, entities, relations, passages, created_at, import_count)
      select 's' || i, 'Safe ' || i, 1, 'hash', 0, 0, 0, ${now}, 1 from n`,
    sql`${numbers(SAFES)} insert into memberships (account_id, safe_id, role, created_at)
      select ${ann}, 's' || i, 'owner', ${now} from n`,
    sql`${numbers(SAFES)} insert into imports (safe_id, id, status, source, format, content_hash, report_json,
      lease_expires_at, created_by, created_at, committed_at)
      select 's' || i, 1, 'committed', 'a.csv', 'csv', 'hash', ${sql.lit(report)}, 0, ${ann}, ${now}, ${now} from n`,
    sql`${numbers(CONNECTIONS)} insert into connections (id, account_id, client_id, client_name, client_verified,
      redirect_host, scope, resource, resource_sent, only_chosen_safe, created_at, calls)
      select 'c' || i, ${ann}, 'client', 'App ' || i, 0, 'app.example', 'vault:read', 'user', 1, 0, ${now}, 0 from n`,
  ])
    await app.database.write(trx => statement.execute(trx))
  const asked = { kind: 'question', accountId: id, question: 'Who?' } as const
  for (let i = 1; i <= 1_000; i++) app.activity.record({ ...asked, safeId: `s${i}`, connectionId: `c${i}` })
  app.activity.record({ ...asked, safeId: safe.id })
  await app.activity.flush()
  return { app, browser }
}

t.test(
  `with ${SAFES} Safes and ${CONNECTIONS} connections, the home page reads some hundred rows, by indexes`,
  async t => {
    const { app, browser } = await open(t)
    const executor = app.database.read.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const statements: Parameters<typeof execute>[0][] = []
    let rows = 0
    executor.executeQuery = async (query, ...rest) => {
      const result = await execute<never>(query, ...rest)
      statements.push(query)
      rows += result.rows.length
      return result
    }
    // The first time, the five Safes that it lists are counted (ADR 41).
    for (const most of [80, 40]) {
      const before = { rows, statements: statements.length }
      const page = await browser.get('/')
      t.equal(page.statusCode, 200)
      t.ok(rows - before.rows < 1_500, `${rows - before.rows} rows`)
      const count = statements.length - before.statements
      t.ok(count < most, `${count} statements`)
    }
    executor.executeQuery = execute
    for (const { sql: text, parameters } of statements.splice(0)) {
      const plan = await app.database.read.executeQuery<{ detail: string }>({
        ...({ queryId: { queryId: 'plan' }, query: sql`select 1`.toOperationNode() } as never as object),
        sql: `explain query plan ${text}`,
        parameters,
      } as never)
      for (const { detail } of plan.rows)
        t.notMatch(
          detail,
          /^SCAN (?:connections|imports|activity|safes|memberships|c|i|a|s|m)\b(?!.* USING )/,
          text,
        )
    }
  },
)

t.test('what questions are matched against is prepared piece by piece, with requests in between', async t => {
  let [turns, isDone] = [0, false]
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const tested = new Map<number, Set<RegExp>>()
  const test = RegExp.prototype.test
  RegExp.prototype.test = function (text) {
    tested.set(turns, (tested.get(turns) ?? new Set()).add(this))
    return test.call(this, text)
  }
  t.teardown(() => {
    RegExp.prototype.test = test
  })
  await prepareQuestions()
  RegExp.prototype.test = test
  isDone = true
  const most = Math.max(...Array.from(tested.values(), ({ size }) => size))
  t.ok(tested.size > 50, `expressions in ${tested.size} turns`)
  t.ok(most <= 4, `at most ${most} of them between two turns of the event loop`)
})
