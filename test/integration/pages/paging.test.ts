import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { open as openSignedIn, walk } from './open.js'

const MANY = 250

async function open(t: Test) {
  const { app, browser, id: ann } = await openSignedIn(t)
  const n = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(MANY)})`
  const id = sql`'100000000000000000' || (1000 + i)`
  /** Adds rows numbered from 1; `select` receives the number as `i`. */
  const add = (insert: string, select: ReturnType<typeof sql>) =>
    app.database.write(trx => sql`${n} insert into ${sql.raw(insert)} select ${select} from n`.execute(trx))
  return { app, browser, ann, id, add }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

t.test('lists are pages, which show each item once and in order', async t => {
  const { app, browser, ann, id, add } = await open(t)
  const text = sql.lit
  await add('safes (id, name, version, created_at)', sql`${id}, 'Safe ' || i, 0, 5`)
  await add('memberships (safe_id, account_id, role, created_at)', sql`${id}, ${text(ann)}, 'owner', 5`)
  const safes = await walk(browser, '/safes', /<strong><bdi>Safe (\d+)<\/bdi>/g)
  t.same([safes.found.map(Number), safes.pages], [range(1, MANY), 5])

  const safeId = '1000000000000000001001'
  const report = JSON.stringify({ counts: { entities: 1, relations: 1, passages: 1 }, badLines: [] })
  await add(
    `imports (safe_id, id, status, source, format, report_json, lease_expires_at, created_by, created_at)`,
    sql`${text(safeId)}, i, 'committed', 'file ' || i, 'jsonl', ${text(report)}, 0, 'x', 5`,
  )
  const imports = await walk(browser, `/safes/${safeId}/files`, /\d"><bdi>file (\d+)<\/bdi>/g)
  t.same([imports.found.map(Number), imports.pages], [range(1, MANY).reverse(), 5])

  await app.database.write(trx =>
    sql`update safes set merged_layer = 1, merged_through = 240 where id = ${safeId}`.execute(trx),
  )
  const { body } = await browser.get(`/safes/${safeId}/files`)
  t.equal(body.match(/imports\/\d+\/undo"/g)?.length, 10, 'merged imports have no button for undo')
  t.match((await browser.get(`/safes/${safeId}/imports/240`)).body, /merged with others/)

  await add(
    'accounts (id, email, password_hash, role, created_at)',
    sql`${id}, 'p' || i || '@a.example', '', 'member', 5`,
  )
  const people = await walk(browser, '/people', /<bdi>p(\d+)@a.example<\/bdi>/g)
  t.same([people.found.map(Number), people.pages], [range(1, MANY), 3])

  for (const path of ['/safes', '/people', '/connections']) {
    t.equal((await browser.get(`${path}?after=nothing`)).statusCode, 200, `${path} after nothing`)
    t.equal((await browser.get(`${path}?after=%27x`)).statusCode, 400, `${path} after what is no id`)
  }
})
