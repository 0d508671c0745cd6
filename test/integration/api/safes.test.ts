import t from 'tap'
import { testClock } from '../../helper.js'
import { refused } from '../../written.js'
import { buildApi, fill } from './service.js'

t.test('lists the Safes that the token may read, in pages', async t => {
  const { app, ann, harbour, garden, program } = await buildApi(t)
  await fill(app, ann, harbour)
  const { get } = await program(ann)
  const { safes, next_cursor } = (await get('/safes')).json()
  t.equal(next_cursor, null)
  // Both may have been created in the same millisecond.
  const byName = safes.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
  t.match(byName, [
    { id: garden, name: 'Garden', entities: 0 },
    { id: harbour, name: 'Harbour', role: 'owner', version: 1, entities: 2, relations: 1, passages: 1 },
  ])
  t.match(safes[0].created_at, /^\d{4}-\d\d-\d\dT.*Z$/)
  for (let i = 0; i < 100; i++) await app.safes.create(ann, `Safe ${i}`)
  const first = (await get('/safes')).json()
  t.equal(first.safes.length, 100)
  const second = (await get(`/safes?cursor=${first.next_cursor}`)).json()
  t.equal(second.safes.length, 2)
  t.equal(second.next_cursor, null)
  t.equal((await get('/safes?cursor=nothing')).json().code, 'invalid_request')
})

t.test('asks a Safe like the tool, records that, and answers as text, too', async t => {
  const { app, ann, harbour, issue, poster, program } = await buildApi(t)
  await fill(app, ann, harbour)
  const { post, connectionId } = await program(ann)
  const question = { query: 'What does Ada work on?', limit: 5 }
  const reply = await post(`/safes/${harbour}/ask`, question)
  t.equal(reply.statusCode, 200)
  const { text, ...answer } = reply.json()
  t.match(text, 'Ada — works on → Harbour project')
  const { structuredContent } = await poster(await issue(ann)).tool('svc', { ...question, safe: harbour })
  const { hints, ...rest } = answer
  t.strictSame([hints, rest], [[], structuredContent], 'without what is empty')
  await app.activity.flush()
  const entries = await app.activity.recentOfAccount(ann, 10)
  t.match(
    entries.find(entry => entry.assistant?.connectionId === connectionId && entry.kind === 'question'),
    { question: 'What does Ada work on?', facts: 1 },
  )
  const brief = await post(`/safes/${harbour}/ask`, { query: 'Ada', max_tokens: 100, form: 'text' })
  t.ok(brief.json().text.length < 600)
})

t.test('says which argument is wrong', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { post, send } = await program(ann)
  const url = `/safes/${harbour}/ask`
  const cases: [object, RegExp][] = [
    [{ limit: 51 }, /“limit”/],
    [{ steps: [{ relation: '' }] }, /“steps\.0\.relation”/],
    [{ where: 'status=draft' }, /“where”/],
    [{ recent: 'yes' }, /“recent”/],
    [{ safe: harbour }, /“safe”/],
    [{ query: 'a\0b' }, /NUL/],
  ]
  for (const [question, detail] of cases) {
    const reply = await refused(t, app, JSON.stringify(question), () => post(url, question))
    t.equal(reply.statusCode, 400)
    t.match(reply.json(), { code: 'invalid_request', detail, title: 'Bad Request' })
  }
  const broken = { method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } } as const
  t.match((await send(url, broken)).json(), { status: 400, code: 'invalid_request' })
  const other = { method: 'POST', payload: 'x', headers: { 'content-type': 'text/plain' } } as const
  t.match((await send(url, other)).json(), { status: 415, code: 'unsupported_media_type' })
})

t.test('R9 takes the name of a Safe, in any case, and answers a wrong one with the nearest', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { get, post } = await program(ann)
  t.match((await post('/safes/hArbour/ask', {})).json(), { safe: { id: harbour } })
  t.equal((await get('/safes/Harbour/export')).statusCode, 200)
  const wrong = await refused(t, app, 'a wrong name', () => post('/safes/Harbor/ask', {}))
  t.match(wrong.json(), {
    status: 404,
    code: 'not_found',
    detail: /no Safe "Harbor"\. It can read "Harbour" \(.{22}\), "Garden" \(/,
  })
  t.equal((await get(`/safes/${encodeURIComponent('a\0')}/export`)).statusCode, 400)
})

t.test('S2 Safes of others and outside the limits do not exist', async t => {
  const { app, ann, harbour, garden, office, program } = await buildApi(t)
  const { post, get } = await program(ann, { chosenSafeIds: [harbour], onlyChosenSafe: true })
  for (const safe of [garden, office, 'x', '..', 'a'.repeat(22)]) {
    const send = () => post(`/safes/${safe}/ask`, { query: 'Ada' })
    t.match((await refused(t, app, safe, send)).json(), { status: 404, code: 'not_found' }, safe)
    t.equal((await get(`/safes/${safe}/export`)).statusCode, 404, safe)
  }
  t.equal((await post(`/safes/${harbour}/ask`, {})).statusCode, 200)
})

t.test('is limited like MCP, long questions as several requests (ADR 19)', async t => {
  const { ann, program } = await buildApi(t, { clock: testClock(), env: { CALLS_PER_SECOND: '1' } })
  const { get } = await program(ann)
  const statuses = []
  for (let i = 0; i < 14; i++) statuses.push((await get('/safes')).statusCode)
  t.same(statuses.slice(0, 10), Array(10).fill(200))
  t.ok(statuses.slice(10).includes(429), String(statuses))
  const { headers, ...reply } = await get('/safes')
  t.match(JSON.parse(reply.body), { status: 429, code: 'too_many_requests' })
  t.ok(Number(headers['retry-after']) > 0)
  t.match(headers['content-type'], 'application/problem+json')
})
