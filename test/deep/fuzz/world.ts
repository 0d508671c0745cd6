import { createHash, scryptSync } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { hashSecret, mac, newId, newSecret } from '../../../platform/common/secrets.js'
import { documentedRedirects } from './documents.js'
import { rowsOf } from './rows.js'

export const BASE = 'https://safes.example'
const CALLBACK = 'https://assistant.example/cb'
const ODD_CALLBACK = 'https://odd.example/cb?svc-fuzz=%3Csvc-fuzz%3E&x='
const VERIFIER = `planted-verifier-${'v'.repeat(40)}`
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const PASSWORD = 'planted-password-of-everybody'
/** Part of everything of Vera's that nobody else may see. */
export const VERA_ONLY = 'vera-only'

/** The people whose cookies the requests carry. Vera never sends any. */
const people = ['ann', 'bob', 'root'] as const
type Person = (typeof people)[number]

/** Never in paths, which are logged. */
const SECRET =
  /^(?:vera\.secret|at|rt|code|session|browser|cookies|csrf|password|verifier|state|setup|invite|mcp)\b/

/** Names, passages and sources that try to become markup or code. */
const GRAPH = [
  {
    type: 'entity',
    name: 'Ada <svc-fuzz>',
    entityType: '"svc-fuzz=',
    observations: ['--><svc-fuzz> <%= 7919*7907 %>'],
  },
  {
    type: 'entity',
    name: "Harbour ' svc-fuzz='",
    entityType: 'project',
    observations: ['{{7919*7907}} </p><svc-fuzz>'],
  },
  {
    type: 'relation',
    from: 'Ada <svc-fuzz>',
    to: "Harbour ' svc-fuzz='",
    relationType: '</title><svc-fuzz>',
  },
]

/**
 * What requests are about: accounts, sessions, clients, codes, tokens, Safes and imports that exist. Everything that a
 * request has used up or ended is made again, so that good requests stay good; requests name it as `‹name›`.
 */
export class World {
  readonly app: FastifyInstance
  /** By client id: its callbacks. */
  readonly redirectUris = new Map(documentedRedirects())
  /** By consent page: the client of the request. */
  readonly asked = new Map<string, string>()
  /** Tokens that were sent in other fields, and may be returned from there. */
  readonly typed = new Set<string>()
  /** The person whose address the requests come from. */
  address = ''
  readonly #refs = new Map<string, string>()
  readonly #used = new Set<string>()
  #rounds = 0
  #generation = 0

  constructor(app: FastifyInstance) {
    this.app = app
  }

  static async open(app: FastifyInstance): Promise<World> {
    const world = new World(app)
    await world.#lasting()
    await world.#vera()
    await world.renew()
    return world
  }

  get(name: string): string {
    const value = this.#refs.get(name)
    if (value === undefined) throw new Error(`nothing is called ‹${name}›`)
    return value
  }

  /** Every live secret, to search for it where it must not be. */
  secrets(): string[] {
    return [...this.#refs]
      .filter(([name]) => SECRET.test(name) && !/^(cookies|csrf)/.test(name))
      .map(([, value]) => value)
  }

  /** Fills in `‹name›`; `‹name~7›` has its 7th character changed, as Vera's secrets always have. */
  resolve(text: string, csrfPath: string, secrets?: 'no secrets'): string {
    return text.replace(/‹([^‹›~]+)(?:~(\d+))?[^‹›]*›/g, (_, name: string, at: string | undefined) => {
      if (secrets && SECRET.test(name)) return 'no-secret'
      const [, character, count] = /^(.)\*(\d+)$/u.exec(name) ?? []
      if (character) return character.repeat(Number(count))
      const [kind, person] = name.split('.')
      const value = kind === 'csrf' ? this.#csrf(person as Person, csrfPath) : (this.#refs.get(name) ?? name)
      this.#used.add(name)
      if (at === undefined && !name.startsWith('vera.secret')) return value
      return tampered(value, Number(at ?? 0))
    })
  }

  /** Makes again everything that was used up since the last time; now and then the accounts as well. */
  async renew(): Promise<void> {
    if (this.#rounds++ % 100 === 0) await this.everybody()
    const used = (...names: string[]) => names.some(name => this.#used.has(name))
    for (const person of people) {
      if (!(await this.app.loginSessions.find(this.get(`session.${person}`)))) await this.#signIn(person)
    }
    if (!(await this.app.safes.membership(this.get('id.ann'), this.get('safe')))) await this.#fillSafe()
    if (used('import.staged')) await this.#stage()
    if (used('code', 'rt') || !(await this.#works('at'))) await this.#connect()
    if (used('mcp') || !(await this.#works('at.safe'))) await this.#issue()
    if (used('connection')) this.#refs.set('connection', (await this.#issueTo('ann')).connectionId)
    for (const name of ['consent', 'consent.approve', 'consent.deny']) if (used(name)) await this.#ask(name)
    this.#used.clear()
  }

  /** Everything that belongs to Vera, in both stores. */
  verasRows(): Promise<string[]> {
    const hers = [...this.#refs].filter(([name]) => name.startsWith('vera.')).map(([, value]) => value)
    return rowsOf(this.app, hers)
  }

  #csrf(person: Person, path: string): string {
    const [, id] = /^\/oauth\/consent\/([^/]*)$/.exec(path) ?? []
    const browser = hashSecret(this.#refs.get(`browser.${person}`) ?? '')
    const session = path === '/login' ? '' : hashSecret(this.#refs.get(`session.${person}`) ?? '')
    const scope = id === undefined ? path : `consent:${id}`
    return mac(this.app.keyFor('csrf'), JSON.stringify([browser, session, scope])).toString('base64url')
  }

  #set(values: Record<string, string>): void {
    for (const [name, value] of Object.entries(values)) this.#refs.set(name, value)
  }

  async #lasting(): Promise<void> {
    const state = 'planted-state-of-a-client'
    this.#set({ base: BASE, callback: CALLBACK, 'callback.odd': ODD_CALLBACK, state })
    this.#set({
      verifier: VERIFIER,
      challenge: CHALLENGE,
      password: PASSWORD,
      setup: await this.app.accounts.invitations.createSetupToken(),
    })
    this.#set({
      client: await this.#register(CALLBACK),
      'client.odd': await this.#register(ODD_CALLBACK, 'com.example.app:/cb'),
    })
    this.#set({
      'client.loopback': await this.#register('http://127.0.0.1/cb', 'http://localhost:8787/callback?a=b'),
    })
    const browser = newSecret()
    this.#set({ 'browser.nobody': browser, 'cookies.nobody': `__Host-svc_browser=${browser}` })
  }

  async #register(...redirectUris: string[]): Promise<string> {
    const client = {
      redirect_uris: redirectUris,
      client_name: '<svc-fuzz> "svc-fuzz=',
      grant_types: ['refresh_token'],
    }
    const { id } = await this.app.oauth.clients.register(client)
    this.redirectUris.set(id, redirectUris)
    return id
  }

  async #vera(): Promise<void> {
    const { app } = this
    const id = await this.#account('vera', 'member')
    const safe = (await app.safes.create(id, `${VERA_ONLY} Safe`)).id
    await this.#import(id, safe, true, VERA_ONLY)
    const staged = await this.#import(id, safe, false, `${VERA_ONLY} staged`)
    const browser = newSecret()
    const { access_token: at, refresh_token: rt, connection } = await this.#exchange(id, browser)
    const secrets = {
      at,
      rt,
      code: (await this.#approve(id, browser)).code,
      browser,
      session: await app.loginSessions.begin(id),
    }
    for (const [name, value] of Object.entries(secrets)) this.#refs.set(`vera.secret.${name}`, value)
    const consent = await this.#seal(browser)
    this.#set({
      'vera.safe': safe,
      'vera.import': String(staged),
      'vera.connection': connection,
      'vera.consent': consent,
    })
    this.#refs.set('vera.email', this.get('email.vera'))
    this.#refs.set('vera.id', id)
  }

  /** New accounts, from a new address; the old ones are removed with everything they own. */
  async everybody(): Promise<void> {
    await this.app.safes.idle()
    this.#generation++
    const old = people.map(person => this.#refs.get(`id.${person}`))
    for (const person of people) {
      await this.#account(person, person === 'root' ? 'admin' : 'member')
      await this.#signIn(person)
    }
    for (const id of old) if (id) await this.app.accounts.remove(id)
    this.address = `10.0.${this.#generation >> 8}.${this.#generation & 255}`
    await this.#fillSafe()
    await this.#connect()
    await this.#issue()
    this.#refs.set('connection', (await this.#issueTo('ann')).connectionId)
    for (const name of ['consent', 'consent.approve', 'consent.deny']) await this.#ask(name)
    await this.#invite()
  }

  /** A row of its own, with a hash that is cheap to check: the requests do not test hashing. */
  async #account(person: string, role: 'admin' | 'member'): Promise<string> {
    const [id, email] = [newId(), `${person}-${this.#generation}@fuzz.example`]
    const password = person === 'vera' ? newSecret() : PASSWORD
    const hash = scryptSync(password, 'planted-salt', 32, { N: 2, r: 8, p: 1 })
    const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    const password_hash = `$scrypt$ln=1,r=8,p=1$${unpadded(Buffer.from('planted-salt'))}$${unpadded(hash)}`
    const row = { id, email, password_hash, role, session_epoch: 0, created_at: Date.now() }
    await this.app.database.write(trx => trx.insertInto('accounts').values(row).execute())
    this.#set({ [`id.${person}`]: id, [`email.${person}`]: email })
    return id
  }

  async #signIn(person: Person): Promise<void> {
    const browser = this.#refs.get(`browser.${person}`) ?? newSecret()
    const session = await this.app.loginSessions.begin(this.get(`id.${person}`))
    const cookies = `__Host-svc_browser=${browser}; __Host-svc_session=${session}`
    this.#set({
      [`browser.${person}`]: browser,
      [`session.${person}`]: session,
      [`cookies.${person}`]: cookies,
    })
  }

  async #fillSafe(): Promise<void> {
    const { safes } = this.app
    const [ann, bob] = [this.get('id.ann'), this.get('id.bob')]
    for (const { id, role } of await safes.readableBy(ann))
      if (role === 'owner') await safes.removal.remove(ann, id)
    const safe = (await safes.create(ann, 'Harbour </title><svc-fuzz>')).id
    const other = (await safes.create(ann, 'Other')).id
    await safes.members.share(ann, safe, bob, 'reader')
    this.#set({ safe, 'safe.other': other, 'safe.bob': (await safes.create(bob, '"svc-fuzz=')).id })
    this.#refs.set('import', String(await this.#import(ann, safe, true, 'first')))
    await this.#stage()
    const { next_cursor } = await safes.questions.ask(ann, safe, { query: 'Ada', limit: 1 })
    this.#refs.set('cursor', next_cursor ?? 'none')
    await this.#issue()
  }

  async #stage(): Promise<void> {
    const id = await this.#import(this.get('id.ann'), this.get('safe'), false, `staged ${this.#rounds}`)
    this.#refs.set('import.staged', String(id))
  }

  async #import(accountId: string, safeId: string, commit: boolean, text: string): Promise<number> {
    const more = { type: 'entity', name: text, entityType: 'note', observations: [`About ${text}.`] }
    const bytes = Readable.from([[...GRAPH, more].map(line => JSON.stringify(line)).join('\n')])
    const source = `${text}"><svc-fuzz>.jsonl`
    return (await this.app.safes.imports.add(accountId, safeId, { source, format: 'jsonl', bytes, commit }))
      .id
  }

  /** Ann's tokens, and a code that has not been redeemed. */
  async #connect(): Promise<void> {
    const [ann, browser] = [this.get('id.ann'), this.get('browser.ann')]
    const { access_token: at, refresh_token: rt } = await this.#exchange(ann, browser)
    const { code } = await this.#approve(ann, browser)
    this.#set({ at, rt, code })
    await this.#openSession()
  }

  async #exchange(accountId: string, browser: string) {
    const { code, connection } = await this.#approve(accountId, browser)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER }
    const tokens = await this.app.oauth.exchange({ ...fields, client_id: this.get('client') })
    return { ...tokens, connection }
  }

  async #approve(accountId: string, browser: string) {
    const { authorization } = this.app.oauth
    const choice = { safeIds: [], only: false, scope: ['vault:read'] }
    const url = await authorization.approve(
      await authorization.find(await this.#seal(browser), [hashSecret(browser)]),
      accountId,
      choice,
    )
    const code = new URL(url).searchParams.get('code') ?? ''
    return { code, connection: code.split('_')[2] ?? '' }
  }

  /** An authorization request that waits for its user. Returns the id of its page. */
  async #seal(browser: string): Promise<string> {
    const { authorization } = this.app.oauth
    const client = { client_id: this.get('client'), redirect_uri: CALLBACK }
    const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    const read = await authorization.read({ response_type: 'code', ...client, ...challenge }, '')
    if (!('request' in read)) throw read.error
    const id = authorization.seal(read.request, hashSecret(browser))
    this.asked.set(id, this.get('client'))
    return id
  }

  async #ask(name: string): Promise<void> {
    this.#refs.set(name, await this.#seal(this.get('browser.ann')))
  }

  #issueTo(person: Person, safeId?: string) {
    const options = { clientName: '<svc-fuzz>', ...(safeId ? { safeId } : {}) }
    return this.app.oauth.issueTokens(this.get(`id.${person}`), options)
  }

  async #issue(): Promise<void> {
    const { accessToken: pinned } = await this.#issueTo('ann', this.get('safe'))
    const { accessToken: bobs } = await this.#issueTo('bob')
    const api = await this.app.oauth.issueTokens(this.get('id.ann'), { clientName: '<svc-fuzz>', grant: API })
    this.#set({ 'at.safe': pinned, 'at.bob': bobs, 'at.api': api.accessToken })
    if (this.#refs.has('at')) await this.#openSession()
  }

  async #openSession(): Promise<void> {
    const access = await this.app.oauth.authenticate(this.get('at'), null)
    const client = { protocolVersion: '2025-06-18', showsApps: true }
    if (access) this.#refs.set('mcp', await this.app.oauth.sessions.open(access, client))
  }

  async #invite(): Promise<void> {
    const invite = await this.app.accounts.invitations.create(null)
    this.#set({ invite, 'email.new': `new-${newId()}@fuzz.example` })
  }

  async #works(name: string): Promise<boolean> {
    return (await this.app.oauth.authenticate(this.get(name), null)) !== null
  }
}

/** Reading only: other tests cover writing to a Safe. */
const API = { resource: 'api' as const, scope: ['vault:read'] }

function tampered(text: string, at: number): string {
  const i = at % Math.max(1, text.length)
  return text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1)
}
