import { Readable, Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { run } from '../../../cli/run.js'
import { build, dataDir, testClock } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { stored } from '../../written.js'
import { posterOf } from '../mcp/service.js'
import { Assistant, CALLBACK, VERIFIER } from '../oauth/assistant.js'
import { Browser, hiddenFields, PASSWORD, type Response } from '../pages/browser.js'

const STATE = 'state-of-the-assistant-5f1c'
const WRONG_VERIFIER = 'w'.repeat(43)
const WRONG_PASSWORD = 'wrong horse battery'
const NEW_PASSWORD = `new ${PASSWORD}`

/** The service, with its log, its answers and every secret it was given. */
async function open(t: Test) {
  const seen = { log: '', errors: '', urls: '' }
  /** What each of them is. */
  const secrets = new Map<string, string>()
  const log = {
    write(line: string) {
      seen.log += line
    },
  }
  const clock = testClock(Date.now())
  const folder = dataDir(t)
  const app = await build(t, { clock, log, env: { DATA_DIR: folder } })
  const keep = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value.length < 10) throw new Error(`there is no ${name}`)
    secrets.set(value, name)
    return value
  }
  const inject = app.inject.bind(app) as (options: object) => Promise<Response>
  app.inject = (async (options: object) => {
    const response = await inject(options)
    const { statusCode, body, cookies } = response
    const { 'set-cookie': _cookies, ...headers } = response.headers
    for (const { name, value } of cookies) if (value) keep(`cookie ${name}`, value)
    for (const [, value] of body.matchAll(/name="_csrf" value="([^"]+)"/g)) keep('CSRF token', value)
    // Forms contain their tokens in hidden fields; only their own browser sees those.
    const text = body.replace(/<input type="hidden"[^>]*>/g, '')
    if (statusCode >= 400) seen.errors += `${JSON.stringify(headers)}\n${text}\n`
    const location = String(headers.location ?? '')
    if (!location.startsWith(CALLBACK)) seen.urls += `${location}\n`
    seen.urls += `${headers['www-authenticate']}\n${[...text.matchAll(/(?:href|src|action)="[^"]*"/g)].join('\n')}\n`
    return response
  }) as never
  return { app, clock, folder, seen, secrets, keep }
}

type Opened = Awaited<ReturnType<typeof open>>

t.test('S1 no secret of a whole flow is in the log, a URL, an error or a store', async t => {
  const opened = await open(t)
  const { app, seen, secrets, keep } = opened
  for (const known of [STATE, VERIFIER, WRONG_VERIFIER, PASSWORD, WRONG_PASSWORD, NEW_PASSWORD]) {
    keep('what was sent', known)
  }
  const browser = await signUp(opened)
  const pair = await authorize(opened, browser)
  await useMcp(opened, pair)
  await upload(opened, browser)
  await askWithToken(opened, pair)
  await script(opened)
  await malformed(opened)

  t.ok(secrets.size > 30, `${secrets.size} secrets were made`)
  const stores = await dump(app)
  t.match(stores, /My token is \[removed\]\./, 'questions are kept without tokens')
  t.match(seen.log, /"level":10/, 'the log is at level trace')
  for (const [secret, name] of secrets) {
    for (const [place, text] of Object.entries({ ...seen, stores })) {
      // The address of the consent page contains its id, which works in one browser only (RULES C9).
      if (place === 'urls' && name.startsWith('consent id')) continue
      t.notOk(
        text.includes(secret) || text.includes(encodeURIComponent(secret)),
        `${name} is not in ${place}`,
      )
    }
  }
  for (const text of [seen.log, stores]) t.notMatch(text, /svc_(?:ac|at|rt)_\w/, 'nor by its prefix')
})

/** The set-up page, an invitation, and every way to fail at them. */
async function signUp({ app, keep }: Opened): Promise<Browser> {
  const browser = new Browser(app)
  const setup = keep('set-up token', await app.accounts.invitations.createSetupToken())
  const page = `/setup?token=${setup}`
  await browser.submit(page, '/setup', { email: 'ann@example.org', password: 'short' })
  await browser.submit(page, '/setup', { email: 'ann@example.org', password: PASSWORD })
  await browser.get(page)
  const { body } = await browser.submit('/people', '/people/invite', { email: '' })
  const invitation = keep('invitation', /invite\?token=(\w+)/.exec(body)?.[1])
  const bob = new Browser(app)
  const invite = `/invite?token=${invitation}`
  await bob.submit(invite, '/invite', { email: 'ann@example.org', password: PASSWORD })
  await bob.submit(invite, '/invite', { email: 'bob@example.org', password: PASSWORD })
  await bob.get(invite)
  await bob.submit('/', '/logout')
  await bob.submit('/login', '/login', { email: 'bob@example.org', password: WRONG_PASSWORD })
  await bob.submit('/login', '/login', { email: 'bob@example.org', password: PASSWORD })
  await bob.submit('/account', '/account/password', { current: WRONG_PASSWORD, next: NEW_PASSWORD })
  await bob.submit('/account', '/account/password', { current: PASSWORD, next: NEW_PASSWORD })
  await bob.post('/safes', { name: 'x', _csrf: 'not this form’s' })
  return browser
}

/** From registration to the final pair of tokens, with every fault on the way. */
async function authorize({ app, clock, keep }: Opened, browser: Browser) {
  const assistant = await Assistant.registered(app)
  Object.assign(assistant.browser, { cookies: browser.cookies })
  for (const changes of [
    { client_id: 'unknown' },
    { redirect_uri: 'https://evil.example/cb' },
    { code_challenge_method: 'plain' },
    { response_type: 'token' },
    { scope: 'nothing' },
    { resource: 'https://elsewhere.example' },
    { request: 'x' },
  ]) {
    await assistant.authorize({ state: STATE, ...changes })
  }
  const consent = async () => {
    const page = await assistant.consentPage({ state: STATE })
    keep('consent id', page.split('/').at(-1))
    return page
  }
  const strangers = new Browser(app)
  const denied = await consent()
  await strangers.get(denied)
  await assistant.browser.post(denied, { decision: 'approve', _csrf: 'wrong' })
  await assistant.decide(denied, { decision: 'deny' })
  await assistant.browser.get(denied)
  const code = async () => {
    const { headers } = await assistant.decide(await consent(), { decision: 'approve' })
    return keep('code', new URL(String(headers.location)).searchParams.get('code'))
  }
  const tokens = async (response: ReturnType<Assistant['redeem']>) => {
    const { access_token, refresh_token } = (await response).json()
    return { access: keep('access token', access_token), refresh: keep('refresh token', refresh_token) }
  }
  const first = await code()
  await assistant.redeem(first, { code_verifier: WRONG_VERIFIER })
  await assistant.redeem(first, { code_verifier: undefined })
  const used = await tokens(assistant.redeem(first))
  await assistant.redeem(first)
  await tokens(assistant.refresh(used.refresh))
  clock.now += 11_000
  await assistant.refresh(used.refresh)
  const revoked = await tokens(assistant.redeem(await code()))
  await assistant.revoke(revoked.refresh)
  await assistant.refresh(revoked.refresh)
  return tokens(assistant.redeem(await code()))
}

async function useMcp({ app, keep }: Opened, { access, refresh }: { access: string; refresh: string }) {
  const post = (accessToken: string, body: unknown, more?: Record<string, string>, url?: string) =>
    posterOf(app)({ accessToken }, url).send(body, more)
  const opened = await posterOf(app)({ accessToken: access }).initialize()
  const session = { 'mcp-session-id': keep('MCP session', opened) }
  await post(access, rpc(2, 'tools/call', { name: 'svc_list_safes' }), session)
  await post(access, rpc(3, 'tools/call', { name: 'svc', arguments: { query: 'x', access_token: access } }))
  await post(access, rpc(4, access))
  await post(access, `{"token":"${access}`)
  await post(access, rpc(5, 'ping'), { 'mcp-protocol-version': access })
  await post(access, rpc(6, 'ping'), { 'mcp-session-id': access })
  await post(access, rpc(7, 'ping'), {}, `/mcp/v1/${access}`)
  await post(refresh, rpc(8, 'ping'))
  await app.inject({ url: `/mcp/v1?access_token=${access}` })
}

async function upload({ app }: Opened, browser: Browser) {
  const ann = await app.accounts.findByEmail('ann@example.org')
  const safe = await app.safes.create(ann?.id ?? '', 'Safe')
  const action = `/safes/${safe.id}/import`
  const { _csrf } = hiddenFields((await browser.get(action)).body, action)
  const part = (head: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  for (const name of ['a.jsonl', 'a.nothing']) {
    const file = part(`name="file"; filename="${name}"`, '{"type":"entity","name":"Ada","observations":[]}')
    const payload = `${part('name="_csrf"', _csrf ?? '')}${file}--x--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    await browser.send({ method: 'POST', url: action, headers, payload })
  }
  await app.safes.idle()
}

/** Assistants put anything into a question, and questions are kept in the activity. */
async function askWithToken({ app }: Opened, { access, refresh }: { access: string; refresh: string }) {
  const ann = await app.accounts.findByEmail('ann@example.org')
  const [safe] = await app.safes.readableBy(ann?.id ?? '')
  for (const query of [`My token is ${access}.`, refresh]) {
    await posterOf(app)({ accessToken: access }).tool('svc', { query, safe: safe?.id })
  }
}

/** `svc connection token` on the server's machine, and a call with the printed token. */
async function script({ app, folder, keep, seen }: Opened) {
  const said = { stdout: '', stderr: '' }
  const into = (name: keyof typeof said) =>
    new Writable({
      write(chunk, _encoding, done) {
        said[name] += chunk
        done()
      },
    })
  const { baseUrl, redisUrl, databaseUrl } = app.config
  const env = {
    DATA_DIR: folder,
    BASE_URL: baseUrl,
    REDIS_URL: redisUrl ?? '',
    DATABASE_URL: databaseUrl ?? '',
  }
  const streams = { stdin: Readable.from(['']), stdout: into('stdout'), stderr: into('stderr') }
  await run(['connection', 'token', 'ann@example.org'], { env, ...streams, startServer: async () => {} })
  const token = keep('token of a script', /svc_at_\w+/.exec(said.stdout)?.[0])
  const authorization = `Bearer ${token}`
  await app.inject({ method: 'DELETE', url: '/mcp/v1', headers: { authorization } })
  seen.errors += said.stderr
}

/** Secrets where none belong. */
async function malformed({ app }: Opened) {
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const url of ['/oauth/register', '/oauth/token', '/login', '/setup', '/oauth/revoke', '/nowhere']) {
    await app.inject({ method: 'POST', url, headers: json, payload: `{"a": ${PASSWORD}` })
    await app.inject({
      method: 'POST',
      url,
      headers: json,
      payload: JSON.stringify({ redirect_uris: VERIFIER }),
    })
    const payload = `password=${encodeURIComponent(PASSWORD)}&code_verifier=${VERIFIER}&code=${VERIFIER}&token=${VERIFIER}`
    await app.inject({ method: 'POST', url, headers: form, payload })
    await app.inject({
      url: `${url}?code=${VERIFIER}&state=${STATE}&password=${encodeURIComponent(PASSWORD)}`,
    })
  }
  await app.inject({ url: `/%zz?state=${STATE}` })
  await app.inject({ url: '/', headers: { cookie: `__Host-svc_session=${VERIFIER}` } })
}

async function dump(app: FastifyInstance): Promise<string> {
  // By default Redis compresses its dumps, and nothing could be found in them.
  await app.redis?.config('SET', 'rdbcompression', 'no')
  const throttles = await app.database.read.selectFrom('throttles').selectAll().execute()
  const keys = (await app.redis?.keys('*')) ?? []
  return JSON.stringify([await stored(app), throttles, keys])
}
