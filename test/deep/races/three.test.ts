import t from 'tap'
import { build, testClock } from '../../helper.js'
import { Assistant } from '../../integration/oauth/assistant.js'
import { PASSWORD } from '../../integration/pages/browser.js'
import { people } from '../../integration/safes/open.js'
import { Visitor } from '../faults/visitor.js'
import { roundRobin } from './round-robin.js'
import { startProcess } from './service.js'

/** The first request of each reaches another process. */
const ROUNDS = 3
/**
 * The number of requests for the page of an import is not known in advance, nor the process that answers the next
 * request.
 */
const KINDS = [
  'GET /oauth/authorize',
  'GET /oauth/consent/…',
  'GET /login',
  'POST /login',
  'POST /oauth/consent/…',
  'POST /oauth/token',
  'POST /safes/…/import',
  'POST /mcp/v1',
  'GET /connections',
  'POST /connections/…/revoke',
]
const ANN = 'ann@a.example'
const QUESTION = {
  id: 1,
  method: 'tools/call',
  params: { name: 'svc', arguments: { query: 'Whom does Person 7 know?' } },
}

t.test('three processes behind a round-robin proxy, on one Postgres and one Redis', async t => {
  // A fourth one, inside the test: it prepares, and acts as the command line.
  const clock = testClock(Date.now())
  const app = await build(t, { setUp: 'postgres', clock })
  const env = { NOW: String(clock.now) }
  const urls = (await Promise.all([1, 2, 3].map(() => startProcess(t, app, env)))).map(({ url }) => url)
  const assistant = await Assistant.registered(app)
  const ann = (await app.accounts.add(ANN, PASSWORD)).id
  await assistant.browser.signIn(ANN)

  const at = (url: string) => Object.assign(new Visitor(assistant), { url })
  const visitor = at(await roundRobin(t, urls))
  const each = urls.map(at)

  t.test('flows in which every request reaches a different process', async t => {
    /** By kind of request: the processes that answered it. */
    const met = new Map(KINDS.map(kind => [kind, new Set<string>()]))
    let last = ''
    visitor.onAnswer = ({ method, path }, { headers }) => {
      const process = headers.get('x-process') ?? ''
      t.not(process, last)
      last = process
      met.get(`${method} ${path.replace(/\?.*/, '').replace(/\/[\w-]{20,}/, '/…')}`)?.add(process)
    }
    const nextMeets = async (process: number) => {
      while (last !== urls[(process + 2) % 3]) await visitor.opens({ access_token: 'x', refresh_token: '' })
    }
    for (let round = 0; round < ROUNDS; round++) {
      const safe = await app.safes.create(ann, `Flow ${round}`)
      await nextMeets(round)
      const first = await visitor.redeem(await visitor.codeAfterLogin(ANN))
      if (!first) return t.fail('a good code was refused')
      await visitor.import(safe.id, 'people.nt', people(20))
      const tokens = await visitor.refresh(first)
      if (!tokens) return t.fail('a good refresh token was refused')
      t.equal(await visitor.refresh(first), null, 'it is used up at every process')

      const params = {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }
      const begun = await visitor.call(tokens, { id: 1, method: 'initialize', params })
      const session = { 'mcp-session-id': String(begun.headers.get('mcp-session-id')) }
      t.equal((await visitor.call(tokens, { method: 'notifications/initialized' }, session)).status, 202)
      const select = { name: 'svc_select_safe', arguments: { safe_id: safe.id } }
      t.equal(
        (await visitor.call(tokens, { id: 1, method: 'tools/call', params: select }, session)).status,
        200,
      )
      for (let i = 0; i < 3; i++) t.match((await visitor.call(tokens, QUESTION, session)).body, /Person 8/)

      await nextMeets(round)
      await visitor.submit('/connections', `/connections/${tokens.access_token.split('_')[2]}/revoke`)
      for (const one of each) t.notOk(await one.opens(tokens), 'refused by each on the next request')
      t.equal(await visitor.refresh(tokens), null)
    }
    visitor.onAnswer = () => {}
    for (const [kind, { size }] of met) t.equal(size, 3, `${kind} was answered by all`)
  })
})
