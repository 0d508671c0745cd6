import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { oauthTexts } from '../../../domain/oauth/texts.js'
import { consentTexts } from '../../../views/texts/consent.js'
import { build } from '../../helper.js'
import { type FormFields, hiddenFields } from '../pages/browser.js'
import { assistantOf } from './assistant.js'

const MANY = 300
const m = consentTexts

async function open(t: Test) {
  const app = await build(t)
  const { assistant, browser, id: ann } = await assistantOf(app)
  const n = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(MANY)})`
  await app.database.write(async trx => {
    const key = sql`'100000000000000000' || (1000 + i)`
    await sql`${n} insert into safes (id, name, version, created_at) select ${key}, 'Safe ' || i, 0, 5 from n`.execute(
      trx,
    )
    await sql`${n} insert into memberships (safe_id, account_id, role, created_at)
      select ${key}, ${sql.lit(ann)}, 'owner', 5 from n`.execute(trx)
  })
  return { app, assistant, browser }
}

const idOf = (i: number) => `100000000000000000${1000 + i}`
/** The Safes offered on a page: checkboxes, or the options of the home page. */
const offered = (body: string) => {
  const options = body.matchAll(
    /<option value="\w+"[^>]*>Safe (\d+)<|name="safe" value="\w+"[^>]*>\s*<span><bdi>Safe (\d+)</g,
  )
  return [...options].map(([, option, radio]) => Number(option ?? radio))
}
const chosen = (body: string) => [...body.matchAll(/name="safe" value="(\w+)" checked>/g)].map(([, id]) => id)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
/** The Safe after which the next page starts. */
const nextOf = (body: string) => new RegExp(`name="list" value="(\\w+)"[^>]*>${m.moreSafes}`).exec(body)?.[1]

t.test(`C7 each of ${MANY} Safes can be chosen, without JavaScript`, async t => {
  const { app, assistant, browser } = await open(t)
  const scope = 'vault:read vault:write'
  const url = await assistant.consentPage({ scope })
  const first = (await browser.get(url)).body
  t.same(offered(first), range(1, 100))
  const fields = hiddenFields(first, url)
  const send = (choice: FormFields) => browser.post(url, { ...fields, ...choice })

  let body = first
  const seen = offered(first)
  for (let next = nextOf(body); next; next = nextOf(body)) {
    const page = await send({ list: next })
    t.equal(page.statusCode, 200)
    body = page.body
    seen.push(...offered(body))
  }
  t.same(seen, range(1, MANY), 'in pages, each once and in order')
  t.ok(body.includes(m.firstSafes) && !body.includes(m.moreSafes))

  // A search keeps the choices; the ticked Safes are offered even if they do not match.
  const choice = { safe: [idOf(7), idOf(120)], only: 'yes', scope: 'vault:write' }
  const found = (await send({ ...choice, search: ' safe 25', list: '' })).body
  t.same(offered(found), [7, 120, 25, ...range(250, 259)])
  t.strictSame(chosen(found), [idOf(7), idOf(120)])
  const second = (await send({ ...choice, list: idOf(100) })).body
  t.same(offered(second), [7, ...range(101, 200)], 'ticked on another page, or in its place')
  t.strictSame(chosen(second), [idOf(7), idOf(120)])
  t.strictSame(chosen((await send({ ...choice, safe: idOf(120), list: '' })).body), [idOf(120)], 'unticked')
  t.match(found, /name="only" value="yes" checked/)
  t.match(found, /name="propose" value="yes" checked/)
  t.match(found, /name="search"[^>]*value="safe 25"/)
  const nothing = await send({ search: 'no such <b>', list: '' })
  t.ok(nothing.body.includes(m.notFound) && nothing.body.includes('value="no such &lt;b&gt;"'))

  // An error in the choice is shown on the same page of the list.
  const wrong = await send({ only: 'yes', safe: '', after: idOf(100), decision: 'approve' })
  t.equal(wrong.statusCode, 400)
  t.same(offered(wrong.body), range(101, 200))
  const tooMany = { safe: range(1, 101).map(idOf), only: 'yes', decision: 'approve' }
  const refused = await send(tooMany)
  t.equal(refused.statusCode, 400)
  t.ok(refused.body.includes(oauthTexts.tooManySafes(100)))
  const listed = await send({ ...tooMany, list: '' })
  t.ok(listed.body.includes(oauthTexts.tooManySafes(100)), 'paging does not drop a tick in silence')
  t.equal((await send({ ...tooMany, safe: ['x'.repeat(22), "x'\0"] })).statusCode, 400)
  t.equal((await send({ list: "x'\0" })).statusCode, 200, 'what is no Safe is the first page')
  t.equal((await browser.post(url, { list: '', _csrf: 'x' })).statusCode, 403, 'C1')

  const { headers } = await send({ ...choice, safe: [idOf(299), idOf(2)], decision: 'approve' })
  const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
  const { access_token } = (await assistant.redeem(code)).json()
  t.match(await app.oauth.authenticate(access_token, null), {
    chosenSafeIds: [idOf(299), idOf(2)],
    onlyChosenSafe: true,
    tokenScope: ['vault:read', 'vault:write'],
  })
  t.equal((await send({ list: '' })).statusCode, 400, 'C3 a decided request lists no more')
})
