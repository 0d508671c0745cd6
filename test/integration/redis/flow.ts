import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Clock } from '../../../platform/common/clock.js'
import { addLighthouse } from '../../lighthouse.js'
import { rpc } from '../../unit/mcp/domain.js'
import { posterOf } from '../mcp/service.js'
import { Assistant } from '../oauth/assistant.js'
import { Browser } from '../pages/browser.js'

/** The settings of the flow: a repeated refresh gets the same pair, so that Redis stores something for it. */
export const FLOW_ENV = { REFRESH_REUSE_GRACE_SECONDS: '60' }

export interface Flow {
  app: FastifyInstance
  clock: Clock & { now: number }
  /** Called after every step. */
  inspect(): Promise<void>
}

/** Every read and write of Redis, and every refusal; each step asserts its answer. */
export async function wholeFlow(t: Test, flow: Flow): Promise<void> {
  const assistant = await Assistant.registered(flow.app)
  await flow.inspect()
  await signIn(t, flow, assistant)
  await tokens(t, flow, assistant)
  await sessions(t, flow, assistant)
  await endings(t, flow, assistant)
  await limits(t, flow, assistant)
}

async function signIn(t: Test, { app, inspect }: Flow, { browser }: Assistant) {
  await browser.signIn('ann@a.example')
  await inspect()
  t.equal((await browser.get('/connections')).statusCode, 200, 'signed in')
  const other = new Browser(app)
  const wrong = { email: 'ann@a.example', password: 'a wrong password' }
  t.not((await other.submit('/login', '/login', wrong)).statusCode, 303)
  await inspect()
  await other.signIn('ann@a.example')
  t.equal((await other.submit('/', '/logout')).statusCode, 303)
  t.not((await other.get('/connections')).statusCode, 200, 'signed out')
}

async function tokens(t: Test, { clock, inspect }: Flow, assistant: Assistant) {
  const page = await assistant.consentPage()
  await inspect()
  const approved = await assistant.decide(page, { decision: 'approve' })
  t.equal((await assistant.decide(page, { decision: 'approve' })).statusCode, 400, 'decided once')
  await inspect()
  const code = new URL(String(approved.headers.location)).searchParams.get('code') ?? ''
  const first = (await assistant.redeem(code)).json()
  await inspect()
  t.ok(await assistant.works(first.access_token))
  t.equal((await assistant.redeem(code)).statusCode, 400, 'a code is used once')
  const second = (await assistant.refresh(first.refresh_token)).json()
  await inspect()
  t.same((await assistant.refresh(first.refresh_token)).json().refresh_token, second.refresh_token)
  const third = (await assistant.refresh(second.refresh_token)).json()
  t.ok(await assistant.works(third.access_token))
  clock.now += 11_000
  t.equal((await assistant.refresh(first.refresh_token)).statusCode, 400, 'an old refresh token')
  t.notOk(await assistant.works(third.access_token), 'ends its connection')
  t.equal((await assistant.refresh(third.refresh_token)).statusCode, 400)
}

async function sessions(t: Test, { app, inspect }: Flow, assistant: Assistant) {
  const owner = await app.accounts.findByEmail('ann@a.example')
  const safe = await addLighthouse(app, owner?.id ?? '')
  const other = await app.safes.create(owner?.id ?? '', 'Other')
  const { access_token } = await assistant.connect({}, { safe: other.id })
  const { request, initialize, send } = posterOf(app)({ accessToken: access_token })
  const tool = (name: string, args: object, headers: Record<string, string>) =>
    send(rpc(1, 'tools/call', { name, arguments: args }), headers)
  const session = { 'mcp-session-id': await initialize() }
  await inspect()
  t.match((await tool('svc_list_safes', {}, session)).body, /Other/)
  t.match(await tool('svc_select_safe', { safe_id: safe.id }, session), { statusCode: 200 })
  await inspect()
  t.match((await tool('svc', { query: 'Who leads the Lens Restoration?' }, session)).body, /facts/)
  t.equal((await request({ method: 'DELETE', headers: session })).statusCode, 204)
  t.equal((await tool('svc_list_safes', {}, session)).statusCode, 404, 'the session is over')
}

async function endings(t: Test, { app, clock, inspect }: Flow, assistant: Assistant) {
  const code = await assistant.code()
  const replayed = (await assistant.redeem(code)).json()
  clock.now += 11_000
  t.equal((await assistant.redeem(code)).statusCode, 400, 'a code presented again later')
  t.notOk(await assistant.works(replayed.access_token), 'ends its connection')
  const { access_token, refresh_token } = await assistant.connect()
  t.equal((await assistant.revoke(access_token)).statusCode, 200)
  t.notOk(await assistant.works(access_token))
  const next = (await assistant.refresh(refresh_token)).json()
  t.equal((await assistant.revoke(next.refresh_token)).statusCode, 200)
  t.notOk(await assistant.works(next.access_token))
  const owner = await app.accounts.findByEmail('ann@a.example')
  const script = await app.oauth.issueTokens(owner?.id ?? '', { clientName: 'script' })
  await inspect()
  t.ok(await assistant.works(script.accessToken))
  t.match((await assistant.browser.get('/connections')).body, /script/)
}

async function limits(t: Test, { app, inspect }: Flow, assistant: Assistant) {
  const wrong = { password: 'a wrong password' }
  const stranger = new Browser(app)
  const tries = Array.from({ length: 11 }, (_, i) => ({ email: `nobody${i}@a.example`, ...wrong }))
  let last = 0
  for (const fields of tries) last = (await stranger.submit('/login', '/login', fields)).statusCode
  t.equal(last, 429, 'ten wrong passwords')
  await inspect()
  const register = () => assistant.register({ redirect_uris: ['http://localhost/cb'] })
  const more = await Promise.all(Array.from({ length: 300 }, register))
  t.equal(more.filter(({ statusCode }) => statusCode === 429).length, 1, '300 registrations an hour')
  await inspect()
}
