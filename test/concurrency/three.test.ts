import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { build, setUps, testClock } from '../helper.js'
import { Assistant } from '../oauth/assistant.js'
import { people } from '../safes/open.js'
import { type Answer, Lane } from './lane.js'
import { roundRobin } from './round-robin.js'
import { startProcess } from './service.js'

const ROUNDS = 5
const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const question = rpc('tools/call', { name: 'svc', arguments: { query: 'Whom does Person 7 know?' } })

for (const setUp of setUps) {
  t.test(`three processes behind a round-robin proxy: ${setUp}`, async t => {
    const clock = testClock(Date.now())
    const app = await build(t, { setUp, clock })
    const env = { NOW: String(clock.now) }
    const processes = await Promise.all([1, 2, 3].map(() => startProcess(t, app, env)))
    const urls = processes.map(({ url }) => url)
    const proxy = new Lane(await roundRobin(t, urls))
    const lanes = urls.map(url => new Lane(url))
    t.teardown(() => [proxy, ...lanes].map(lane => lane.close()))
    const assistant = await Assistant.registered(app)
    await assistant.browser.signIn('ann@a.example')
    const ann = (await app.accounts.findByEmail('ann@a.example'))?.id ?? ''
    await app.accounts.add('bob@a.example', 'correct horse battery')
    const bob = (await app.accounts.findByEmail('bob@a.example'))?.id ?? ''

    const form = async (path: string, fields: object) =>
      (await proxy.form(path, fields as Record<string, string>)).finish()
    const call = async (lane: Lane, token: string, body: unknown, more = {}) =>
      (await lane.json('/mcp/v1', body, { authorization: `Bearer ${token}`, ...more })).finish()
    const import_ = (safeId: string, name: string, text: string) =>
      app.safes.import(ann, safeId, {
        source: `${name}.nt`,
        bytes: Readable.from([Buffer.from(text)]),
        commit: true,
      })

    t.test('a flow of which every request meets another process', async t => {
      const seen = new Set<unknown>()
      const answered = (answer: Answer, status = 200) => {
        seen.add(answer.headers['x-process'])
        t.equal(answer.status, status, answer.body)
        return answer
      }
      const safe = await app.safes.create(ann, 'Flow')
      await import_(safe.id, 'people', people(20))
      for (let round = 0; round < ROUNDS; round++) {
        const tokens = answered(
          await form('/oauth/token', assistant.redemption(await assistant.code())),
        ).json()
        const pair = answered(
          await form('/oauth/token', assistant.refreshing(tokens.refresh_token ?? '')),
        ).json()
        const token = pair.access_token ?? ''
        const params = {
          protocolVersion: '2025-03-26',
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        }
        const { headers } = answered(await call(proxy, token, rpc('initialize', params)))
        const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
        answered(
          await call(proxy, token, { jsonrpc: '2.0', method: 'notifications/initialized' }, session),
          202,
        )
        answered(await call(proxy, token, rpc('tools/list'), session))
        const select = rpc('tools/call', { name: 'svc_select_safe', arguments: { safe: 'Flow' } })
        answered(await call(proxy, token, select, session))
        for (let i = 0; i < 3; i++) {
          t.match(answered(await call(proxy, token, question, session)).body, /Person 8/)
        }
        answered(await form('/oauth/revoke', { client_id: assistant.clientId, token: pair.refresh_token }))
        for (const lane of lanes)
          t.equal((await call(lane, token, rpc('ping'))).status, 401, 'on the next request')
        // Else each step of a round would meet the same process as in the round before.
        if (round % 2) answered(await form('/oauth/token', assistant.refreshing('svc_rt_x')), 400)
      }
      t.equal(seen.size, 3)
    })

    t.test('an import through one is answered by the others within a second', async t => {
      const safe = await app.safes.create(ann, 'Growing')
      const { access_token } = await assistant.connect({}, { safe: safe.id })
      const ask = async (lane: Lane) => (await call(lane, access_token, question)).body
      for (const lane of lanes) t.notMatch(await ask(lane), /Person 8/)
      await import_(safe.id, 'people', people(20))
      await pause(1000)
      for (const lane of lanes) t.match(await ask(lane), /Person 8/)
      await app.safes.undoImport(ann, safe.id, 1)
      await pause(1000)
      for (const lane of lanes) t.notMatch(await ask(lane), /Person 8/)
    })

    t.test('who is removed from a Safe is answered by none of them from the next request on', async t => {
      const safe = await app.safes.create(ann, 'Shared')
      await import_(safe.id, 'people', people(20))
      await app.safes.share(ann, safe.id, bob, 'reader')
      const { accessToken } = await app.oauth.issueTokens(bob, {
        clientName: 'x',
        facts: { chosenSafeId: safe.id },
      })
      for (const lane of lanes) t.match((await call(lane, accessToken, question)).body, /Person 8/)
      await app.safes.unshare(ann, safe.id, bob)
      for (const lane of lanes) t.notMatch((await call(lane, accessToken, question)).body, /Person 8/)
    })
  })
}
