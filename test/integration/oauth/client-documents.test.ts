import t from 'tap'
import type { Client } from '../../../domain/oauth/clients/client.js'
import { DocumentError, readKnownClients } from '../../../domain/oauth/clients/client-document.js'
import {
  ClientDocuments,
  type ClientDocumentsOptions,
} from '../../../domain/oauth/clients/client-documents.js'
import type { FetchedDocument } from '../../../domain/oauth/clients/document-fetch.js'
import { testClock } from '../../helper.js'
import { documentOf } from './document-server.js'

const ID = 'https://app.example.com/client.json'
const CLAUDE = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
const DAY_MS = 24 * 3_600_000
const anything = () => true

type Answer = Partial<FetchedDocument> | Error

/** The cache with a test clock and a stubbed fetch. */
function open(options: Partial<ClientDocumentsOptions> = {}) {
  const clock = testClock()
  const fetched: string[] = []
  const failures: string[] = []
  const world = { clock, fetched, failures, answer: {} as Answer | (() => Promise<FetchedDocument>) }
  const documents = new ClientDocuments({
    pinned: readKnownClients(clock()),
    approved: async () => null,
    clock,
    onFailure: (id, { message }) => failures.push(`${id} ${message}`),
    fetchDocument: async id => {
      fetched.push(id)
      if (typeof world.answer === 'function') return world.answer()
      if (world.answer instanceof Error) throw world.answer
      return { json: documentOf(id), freshForSeconds: null, ...world.answer }
    },
    ...options,
  })
  return Object.assign(world, { find: (id = ID) => documents.find(id, anything), documents })
}

const unusable = { name: 'Error', problem: String }
const withdrawn = { ...unusable, withdrawn: true }
const unreachable = new DocumentError('cannot be reached', { reason: 'ECONNREFUSED' })

t.test('D3 a document is kept as long as its headers say, at least 30 s and at most a day', async t => {
  const cases: [number | null, number][] = [
    [0, 30],
    [29, 30],
    [300, 300],
    [null, 300],
    [86_400, 86_400],
    [1e22, 86_400],
  ]
  for (const [freshForSeconds, seconds] of cases) {
    const cache = open()
    cache.answer = { freshForSeconds }
    await cache.find()
    cache.clock.now += seconds * 1000 - 1
    await cache.find()
    t.equal(cache.fetched.length, 1, `${freshForSeconds}: kept for ${seconds} s`)
    cache.clock.now += 1
    await cache.find()
    t.equal(cache.fetched.length, 2, `${freshForSeconds}: and no longer`)
  }
})

t.test('D3 an earlier copy helps out while a document cannot be fetched, for 30 days', async t => {
  const cache = open()
  await cache.find()
  cache.answer = unreachable
  cache.clock.now += DAY_MS
  t.match(await cache.find(), { id: ID, name: 'Documented' })
  t.equal(cache.fetched.length, 2, 'it was asked for')
  t.strictSame(cache.failures, [`${ID} ECONNREFUSED`], 'the log says why')
  t.equal(cache.documents.cached(ID)?.id, ID)
  cache.clock.now += 29 * DAY_MS - 1
  t.match(await cache.find(), { id: ID })
  cache.clock.now += 1
  await t.rejects(cache.find(), unreachable, 'then it is too old')
  cache.answer = {}
  cache.clock.now += 30_000
  t.match(await cache.find(), { createdAt: cache.clock.now }, 'until it can be fetched again')
})

t.test('D3 after a restart, the copy is what users have approved', async t => {
  const approved: Client = {
    id: ID,
    name: 'Approved',
    redirectUris: ['https://a.example/cb'],
    grantTypes: [],
    createdAt: testClock()(),
    lastUsedAt: null,
  }
  const cache = open({ approved: async () => approved })
  t.equal((await cache.find()).name, 'Documented', 'only when it cannot be fetched')
  const restarted = open({ approved: async () => approved })
  restarted.answer = unreachable
  t.equal(await restarted.find(), approved)
  restarted.clock.now += 30 * DAY_MS
  await t.rejects(restarted.find(), unreachable)
})

t.test('D3 a document that says something else now has no earlier copy', async t => {
  const cache = open()
  await cache.find()
  cache.clock.now += DAY_MS
  cache.answer = { json: documentOf(ID, { redirect_uris: ['javascript:x'] }) }
  await t.rejects(cache.find(), withdrawn)
  t.equal(cache.documents.cached(ID), null)
  cache.clock.now += 30_000
  cache.answer = unreachable
  await t.rejects(cache.find(), unreachable, 'not later either')
})

t.test('D3 a failure is remembered for 30 s', async t => {
  for (const failure of [unreachable, { json: [] }]) {
    const cache = open()
    cache.answer = failure
    await t.rejects(cache.find(), unusable)
    cache.answer = {}
    cache.clock.now += 29_999
    await t.rejects(cache.find(), unusable)
    t.equal(cache.fetched.length, 1)
    t.equal(cache.failures.length, 1, 'and logged once')
    cache.clock.now += 1
    t.match(await cache.find(), { id: ID })
  }
})

t.test('D3 one request, however many wait for it', async t => {
  const cache = open()
  let answer = (_: FetchedDocument) => {}
  cache.answer = () =>
    new Promise(resolve => {
      answer = resolve
    })
  const waiting = Array.from({ length: 20 }, () => cache.find())
  answer({ json: documentOf(ID), freshForSeconds: 0 })
  for (const client of await Promise.all(waiting)) t.equal(client.id, ID)
  t.equal(cache.fetched.length, 1)
  cache.answer = () => Promise.reject(unreachable)
  cache.clock.now += 30_000
  await cache.find()
  t.equal(cache.fetched.length, 2, 'and another one later')
})

t.test('D3 the known assistants’ documents are not fetched, except for what they do not cover', async t => {
  const cache = open()
  t.match(await cache.find(CLAUDE), {
    name: 'Claude',
    redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
  })
  t.equal(cache.documents.cached(CLAUDE)?.name, 'Claude')
  t.strictSame(cache.fetched, [])
  const moved = 'https://claude.com/api/mcp/auth_callback'
  const covers = (client: Client) => client.redirectUris.includes(moved)
  cache.answer = { json: documentOf(CLAUDE, { redirect_uris: [moved] }) }
  t.match(await cache.documents.find(CLAUDE, covers), { redirectUris: [moved] }, 'Claude has moved')
  t.strictSame(cache.fetched, [CLAUDE])
  const alone = open()
  alone.answer = unreachable
  t.match(await alone.documents.find(CLAUDE, () => false), { name: 'Claude' }, 'the pinned one stays')
})

t.test('D2 at most 16 requests at once and 120 a minute are sent', async t => {
  const numbered = (i: number) => `https://app.example.com/${i}`
  const tooMany = (retryAfter: number) => ({ code: 'temporarily_unavailable', status: 503, retryAfter })
  const cache = open()
  const answers: (() => void)[] = []
  cache.answer = () => new Promise((_, reject) => answers.push(() => reject(unreachable)))
  const waiting = Array.from({ length: 16 }, (_, i) => cache.find(numbered(i)))
  await t.rejects(cache.find(numbered(16)), tooMany(5), 'the 17th at once')
  for (const answer of answers) answer()
  for (const one of waiting) await t.rejects(one, unreachable)
  cache.answer = {}
  for (let i = 16; i < 120; i++) await cache.find(numbered(i))
  await t.rejects(cache.find(numbered(120)), tooMany(60), 'the 121st in a minute')
  t.equal(cache.fetched.length, 120)
  t.match(await cache.find(numbered(119)), { id: numbered(119) }, 'what is kept is there')
  t.match(await cache.find(CLAUDE), { name: 'Claude' }, 'and what is pinned')
  cache.clock.now += 45_000
  await t.rejects(cache.find(numbered(120)), tooMany(15))
  cache.clock.now += 15_000
  t.match(await cache.find(numbered(120)), { id: numbered(120) }, 'the refusal was not remembered')
})

t.test('D3 500 documents are kept, those that are asked for longest', async t => {
  const numbered = (i: number) => `https://app.example.com/${i}`
  const cache = open()
  cache.answer = { freshForSeconds: 86_400 }
  for (let i = 0; i <= 500; i++) {
    await cache.find(numbered(i))
    await cache.find(numbered(0))
    cache.clock.now += 1000
  }
  t.equal(cache.fetched.length, 501)
  t.equal(cache.documents.cached(numbered(0))?.id, numbered(0))
  t.equal(cache.documents.cached(numbered(1)), null)
  t.equal(cache.documents.cached(numbered(2))?.id, numbered(2))
})
