import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import type { BuildOptions } from '../../helper.js'
import { writesNothing } from '../../written.js'
import { hiddenFields } from '../pages/browser.js'
import { BASE } from './assistant.js'
import { startSignedIn } from './signed-in.js'

// How real clients refresh (ADR 2): each scenario is named after the client and the source of its behaviour.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const LOOPBACK = 'http://localhost:3118/callback'
const CLAUDE = 'https://claude.ai/api/mcp/auth_callback'

/** The fields of the form when the user changes nothing and clicks Allow. */
function asFilledIn(body: string, page: string) {
  const checked = [...body.matchAll(/<input type="(?:checkbox|radio)" name="(\w+)" value="(\w*)" checked>/g)]
  const fields: Record<string, string[]> = {}
  for (const [, name = '', value = ''] of checked) fields[name] = [...(fields[name] ?? []), value]
  return { ...hiddenFields(body, page), ...fields, decision: 'approve' }
}

/** The credentials of one server, which the processes of a client share. */
interface Store {
  client?: OAuthClientInformationMixed | undefined
  tokens?: OAuthTokens | undefined
}

/** A process of a client on the MCP SDK. It keeps using the tokens in its memory, even if its store has others. */
class Process implements OAuthClientProvider {
  readonly #store: Store
  #memory: OAuthTokens | undefined
  #verifier = ''
  /** Where the browser was sent. */
  asked: URL | null = null
  readonly redirectUrl = LOOPBACK
  readonly clientMetadata = { client_name: 'Claude Code', redirect_uris: [LOOPBACK] }

  constructor(store: Store) {
    this.#store = store
    this.#memory = store.tokens
  }
  clientInformation() {
    return this.#store.client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#store.client = client
  }
  tokens() {
    return this.#memory
  }
  saveTokens(tokens: OAuthTokens) {
    this.#memory = tokens
    this.#store.tokens = tokens
  }
  /** Deletes tokens that another process may just have saved (anthropics/claude-code#84440). */
  invalidateCredentials() {
    this.#memory = undefined
    this.#store.tokens = undefined
  }
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}

async function start(t: Test, options: BuildOptions = {}) {
  const service = await startSignedIn(t, options)
  const { app, assistant, ann } = service
  const sent: string[] = []
  const fetchFn = async (url: string | URL, init: RequestInit = {}) => {
    const { pathname } = new URL(url)
    sent.push(pathname)
    const payload =
      init.body instanceof URLSearchParams ? String(init.body) : (init.body as string | undefined)
    const form = init.body instanceof URLSearchParams && {
      'content-type': 'application/x-www-form-urlencoded',
    }
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...form }
    const options: InjectOptions = { method: (init.method ?? 'GET') as 'GET', url: pathname, headers }
    const {
      statusCode,
      body,
      headers: answered,
    } = await app.inject({ ...options, ...(payload && { payload }) })
    return new Response(body, {
      status: statusCode,
      headers: { 'content-type': String(answered['content-type']) },
    })
  }
  const run = (process: Process, authorizationCode?: string) =>
    auth(process, { serverUrl: `${BASE}/mcp/v1`, fetchFn, ...(authorizationCode && { authorizationCode }) })
  /** Opens an authorization URL and clicks Allow once. */
  const allow = async (url: string) => {
    const page = String((await assistant.browser.get(url)).headers.location)
    const { body } = await assistant.browser.get(page)
    const { headers } = await assistant.browser.post(page, asFilledIn(body, page), { origin: BASE })
    return { body, code: new URL(String(headers.location)).searchParams.get('code') ?? '' }
  }
  /** Uses the present tokens, or asks the user, who clicks once. */
  const signIn = async (process: Process) => {
    if ((await run(process)) === 'AUTHORIZED') return null
    const { body, code } = await allow(`${process.asked?.pathname}${process.asked?.search}`)
    t.equal(await run(process, code), 'AUTHORIZED')
    return body
  }
  const works = async (process: Process) => assistant.works(process.tokens()?.access_token ?? '')
  const rows = () => app.oauth.connections.rows(ann.id, { kind: 'open' })
  return { ...service, sent, run, signIn, allow, works, rows }
}

t.test('T16 Claude Code presents a refresh token days after its rotation (claude-code#74250)', async t => {
  const { app, clock, ann, assistant, sent, run, signIn, works, rows } = await start(t)
  const { id } = await app.safes.create(ann.id, 'Home')
  const store: Store = {}
  const first = new Process(store)
  await signIn(first)
  const { connectionId = '' } = (await app.oauth.authenticate(store.tokens?.access_token ?? '', null)) ?? {}
  await app.oauth.connections.narrow(ann.id, connectionId, {
    safeIds: [id],
    only: true,
    scope: ['vault:read'],
  })
  await app.oauth.connections.setPowers(ann.id, connectionId, { mayPropose: true })
  const idle = new Process(store)
  const idleToo = new Process(store)
  clock.now += HOUR
  t.equal(await run(first), 'AUTHORIZED')
  clock.now += 3 * DAY
  await assistant.browser.signIn('ann@a.example')
  sent.length = 0
  const page = await signIn(idle)
  t.equal(sent.filter(path => path === '/oauth/token').length, 2, 'one refusal, one new pair: nothing loops')
  t.match(page, /You allowed this on/)
  t.match(await app.oauth.connections.find(connectionId), { revokedReason: /old key/ }, 'the alarm stays')
  t.notOk(await works(first))
  const opened = await app.oauth.authenticate(store.tokens?.access_token ?? '', null)
  t.match(opened, { chosenSafeIds: [id], onlyChosenSafe: true }, 'one click, as before')
  t.notOk(opened?.mayPropose, 'R6: powers are not filled in for an app on loopback')

  t.equal(await run(idleToo), 'REDIRECT', 'another old token of the same store')
  t.ok(await works(idle), 'does not end what has begun since')
  const started = new Process({ ...store, tokens: idle.tokens() })
  t.equal(await run(started), 'AUTHORIZED', 'and who reads the store goes on')
  t.equal((await rows()).length, 1)
})

t.test('T16 Codex: five at once, a sixth later, 189 more for days (openai/codex#46028)', async t => {
  const { app, clock, assistant, signIn, works } = await start(t)
  const store: Store = {}
  await signIn(new Process(store))
  assistant.clientId = store.client?.client_id ?? ''
  const old = store.tokens?.refresh_token ?? ''
  const answers = await Promise.all(Array.from({ length: 5 }, () => assistant.refresh(old)))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400, 400, 400])
  const [winner] = answers.filter(({ statusCode }) => statusCode === 200)
  t.ok(await assistant.works(winner?.json().access_token), 'a race ends nothing')
  clock.now += 7 * MINUTE
  t.equal((await assistant.refresh(old)).statusCode, 400)
  const again = new Process({ client: store.client })
  await signIn(again)
  await writesNothing(t, app, 'the others', async () => {
    for (let i = 0; i < 189; i++) t.equal((await assistant.refresh(old)).statusCode, 400)
  })
  t.ok(await works(again))
})

t.test('G6 hosted Claude registers often and never refreshes (anthropics/claude-code#52905)', async t => {
  const { app, ann, clock, assistant, allow, rows } = await start(t)
  const safes = [await app.safes.create(ann.id, 'Home'), await app.safes.create(ann.id, 'Work')]
  let access = ''
  for (let time = 0; time < 4; time++) {
    if (access) t.notOk(await assistant.works(access), 'expired')
    const registration = { client_name: 'Claude', redirect_uris: [CLAUDE] }
    assistant.clientId = (await assistant.register(registration)).json().client_id
    const url = assistant.authorizeUrl({ redirect_uri: CLAUDE })
    let { code } = { code: '' }
    if (time > 0) code = (await allow(url)).code
    else {
      const page = await assistant.consentPage({ redirect_uri: CLAUDE })
      const ticked = { safe: safes.map(({ id }) => id), only: 'yes', propose: 'yes', decision: 'approve' }
      code =
        new URL(String((await assistant.decide(page, ticked)).headers.location)).searchParams.get('code') ??
        ''
    }
    access = (await assistant.redeem(code, { redirect_uri: CLAUDE })).json().access_token
    const opened = await app.oauth.authenticate(access, null)
    t.match(opened, { onlyChosenSafe: true, mayPropose: true }, `time ${time}`)
    t.same(new Set(opened?.chosenSafeIds), new Set(safes.map(({ id }) => id)))
    clock.now += 22 * DAY
    await assistant.browser.signIn('ann@a.example')
  }
  t.match(await rows(), [{ clientName: 'Claude', others: 3 }])
  t.equal((await rows()).length, 1)
})
