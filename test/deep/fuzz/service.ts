import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Test } from 'tap'
import { Dispatch } from '../../../mcp/dispatch.js'
import { build, type SetUp } from '../../helper.js'
import { openFiles } from '../../open-files.js'
import { fetchDocument } from './documents.js'
import { inject } from './inject.js'
import { type Plan, type Request, render } from './plan.js'
import { type Answer, checkAnswer } from './properties.js'
import { goods } from './routes.js'
import { World } from './world.js'

/** The form of secrets, of any owner. */
const SECRET = /svc_(?:ac|at|rt)_[0-9A-Za-z]{22}|planted-/
/** Requests that may still be held after all answers, such as the last one of each open connection. */
const HELD = 100

interface Snapshot {
  files: string[]
  rows: string[]
  requests: number
}

/** Errors as pino writes them, and worse. */
const ERROR = /"level":[56]0/

/** The whole service with the targets of all requests, and the rules it must keep during a run of any length. */
export class FuzzedService {
  readonly app: FastifyInstance
  readonly world: World
  readonly #log: string[]
  readonly #routes: ReadonlySet<string>
  readonly #requestClasses: Watched['requestClasses']
  readonly #endpoints: ReadonlySet<Dispatch>
  readonly #warnings: string[] = []
  /** How often each route answered with each status. */
  readonly #statuses = new Map<string, Set<number>>()

  private constructor(
    t: Test,
    parts: { app: FastifyInstance; world: World; log: string[]; watched: Watched; endpoints: Set<Dispatch> },
  ) {
    this.app = parts.app
    this.world = parts.world
    this.#log = parts.log
    this.#routes = parts.watched.routes
    this.#requestClasses = parts.watched.requestClasses
    this.#endpoints = parts.endpoints
    const keep = (warning: Error) => {
      // Node warns that counting requests is experimental.
      if (warning.name !== 'ExperimentalWarning') this.#warnings.push(String(warning))
    }
    process.on('warning', keep)
    t.teardown(() => process.off('warning', keep))
  }

  static async open(t: Test, setUp: SetUp): Promise<FuzzedService> {
    const endpoints = watchEndpoints(t)
    const watched: Watched = { routes: new Set(), requestClasses: new Set() }
    const watch = (message: unknown) => watchApp((message as { fastify: FastifyInstance }).fastify, watched)
    subscribe('fastify.initialization', watch)
    const log: string[] = []
    const env = { CALLS_PER_SECOND: '0' }
    const app = await build(t, { setUp, fetchDocument, env, log: { write: line => void log.push(line) } })
    unsubscribe('fastify.initialization', watch)
    return new FuzzedService(t, { app, world: await World.open(app), log, watched, endpoints })
  }

  /** Sends a request and checks its answer. */
  async ask(plan: Plan): Promise<void> {
    const request = render(plan, this.world)
    try {
      const answer = await inject(this.app, request, this.world)
      this.#count(plan.route, answer)
      checkAnswer(request, answer, this.world)
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${curl(request)}`, { cause: error })
    }
  }

  /**
   * Searches the log for secrets and makes again everything that was used up. Damaged bytes may turn a query into a path, and
   * paths are logged: `withoutPaths` leaves them out.
   */
  async between(withoutPaths = false): Promise<void> {
    const lines = this.#log.splice(0).map(line => (withoutPaths ? line.replace(/"path":"[^"]*"/, '') : line))
    const secrets = this.world.secrets()
    for (const line of lines) {
      if (SECRET.test(line) || secrets.some(secret => line.includes(secret)))
        throw new Error(`a secret in the log: ${line}`)
      if (ERROR.test(line)) throw new Error(`a fault in the log: ${line}`)
    }
    await this.world.renew()
  }

  /** Every route has a good request in the table, or only refuses a method; and good requests succeed. */
  async checkGood(t: Test): Promise<void> {
    await this.world.everybody()
    const failed: string[] = []
    const known = new Set(goods.map(({ plan }) => plan.route))
    for (const { plan, status } of goods) {
      const request = render(plan, this.world)
      const answer = await inject(this.app, request, this.world)
      if (answer.status !== status) failed.push(`${plan.route}: ${answer.status}`)
      await this.world.renew()
    }
    t.strictSame(failed, [], 'good requests work')
    const missing: string[] = []
    for (const route of this.#routes) {
      const [method = '', url = ''] = route.split(' ')
      if (
        known.has(route) ||
        (method === 'HEAD' && known.has(`GET ${url}`)) ||
        NOWHERE.includes(url) ||
        route === 'POST /'
      )
        continue
      const path = url.slice(1).replaceAll(':safeId', 'x').split('/')
      const headers = url.startsWith('/mcp') ? [['authorization', 'Bearer ‹at›']] : []
      const request = render({ route, method, path, headers }, this.world)
      const { status } = await inject(this.app, request, this.world)
      if (![204, 401, 403, 405].includes(status)) missing.push(route)
    }
    t.strictSame(missing, [], 'every route has a good request in test/deep/fuzz/routes.ts')
  }

  /** Asserts that the requests left nothing behind and touched no Safe except the senders' own. */
  async checkAfter(t: Test, before: Snapshot): Promise<void> {
    await this.app.safes.idle()
    await this.#untilUploadsAreDeleted()
    const after = await this.snapshot()
    t.strictSame(after.rows, before.rows, 'what is somebody else’s is as it was')
    // Backups are files that administrators have made.
    const besides = (files: string[]) => files.filter(file => !file.startsWith('backups'))
    t.strictSame(besides(after.files), besides(before.files), 'no file is left behind')
    t.strictSame(openFiles(`${this.app.config.dataDir}/uploads`), [], 'none is open')
    t.strictSame(
      [...this.#endpoints].map(dispatch => dispatch.pending),
      [0],
      'no request is pending',
    )
    t.strictSame(this.#warnings, [], 'the process has not complained')
    if (process.env.DEEP)
      t.ok(after.requests - before.requests <= HELD, 'requests that were answered are not kept')
  }

  async snapshot(): Promise<Snapshot> {
    // Indexes of Safes are built on demand, backups at the request of an administrator.
    const files = readdirSync(this.app.config.dataDir, { recursive: true })
      .map(String)
      .filter(name => !/^(?:indexes|backups\/svc-[^/]+\.db$)/.test(name))
      .sort()
    return { files, rows: await this.world.verasRows(), requests: this.#heldRequests() }
  }

  /** Counting takes as long as hundreds of requests, and a few of them do not show what is kept. */
  #heldRequests(): number {
    if (!process.env.DEEP) return 0
    return [...this.#requestClasses].reduce((sum, each) => sum + queryObjects(each, { format: 'count' }), 0)
  }

  /** A file is deleted just after its import has ended. */
  async #untilUploadsAreDeleted(): Promise<void> {
    const uploads = join(this.app.config.dataDir, 'uploads')
    while (readdirSync(uploads).length > 0) await pause(20)
  }

  /** Asserts that the run got past the first checks of each route. */
  checkReached(t: Test): void {
    const missed = goods.filter(({ plan, status }) => !this.#statuses.get(plan.route)?.has(status))
    t.strictSame(
      missed.map(({ plan, status }) => `${plan.route} ${status}`),
      [],
      'every route was reached',
    )
  }

  #count(route: string, { status }: Answer): void {
    const statuses = this.#statuses.get(route) ?? new Set()
    this.#statuses.set(route, statuses.add(status))
  }
}

/** The open requests at the end come from the endpoint itself; the app does not expose them. */
function watchEndpoints(t: Test): Set<Dispatch> {
  const endpoints = new Set<Dispatch>()
  const { answer } = Dispatch.prototype
  Dispatch.prototype.answer = function (...args) {
    endpoints.add(this)
    return answer.apply(this, args)
  }
  t.teardown(() => {
    Dispatch.prototype.answer = answer
  })
  return endpoints
}

/** Addresses at which nothing is found. */
const NOWHERE = ['/.well-known/*', '/mcp', '/mcp/*', '/sse', '/sse/']

/** The parts of the app that are read directly: its routes, and the classes of its requests, with a socket and without. */
interface Watched {
  routes: Set<string>
  requestClasses: Set<new () => object>
}

function watchApp(app: FastifyInstance, { routes, requestClasses }: Watched): void {
  app.addHook('onRequest', async ({ raw }) => void requestClasses.add(raw.constructor as new () => object))
  app.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const one of [method].flat()) routes.add(`${one} ${url.replace(/\(.*\$\)/, '')}`)
  })
}

/** For a service that runs by itself. */
function curl({ method, path, query, headers, body }: Request): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const given = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`).join(' ')
  const bytes = body ? `printf %s ${body.toString('base64')} | base64 -d | ` : ''
  const address = `http://localhost:3000${path}${query && `?${query}`}`
  return `${bytes}curl -sSi --path-as-is -X ${method} ${given}${body ? ' --data-binary @-' : ''} ${quoted(address)}`
}
