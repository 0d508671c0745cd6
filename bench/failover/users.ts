import { setTimeout as pause } from 'node:timers/promises'
import { Connection, requestText } from '../load/connection.js'
import { Refused } from '../load/rounds.js'
import { rpc } from '../mcp/clients.js'
import { type AuthorizationServer, Browser, post, redeem } from '../token/clients.js'

/** What users of one kind got. */
export interface Count {
  requests: number
  /** Answered with 503, which says that it may be tried again. */
  refused: number
  /** No answer, or one that says neither. */
  failed: number
  /** Who had to sign in or connect again. */
  lost: number
  /** The longest from asking first to a good answer. Milliseconds. */
  longest: number
}

export const KINDS = ['questions', 'refreshes', 'pages'] as const
export type Kind = (typeof KINDS)[number]
type Outcome = 'good' | 'refused' | 'failed' | 'lost'

/** What somebody does each time. */
type Step = (connection: Connection) => Promise<Outcome>

/** How many there are, and how long each pauses after a good answer: no assistant refreshes what it has just got. */
const USERS = {
  questions: { count: 6, pauseMs: 50 },
  refreshes: { count: 30, pauseMs: 1500 },
  pages: { count: 3, pauseMs: 50 },
}
/** Pause before what was not answered is tried again. */
const AGAIN_MS = 50
const QUESTION = rpc('tools/call', { name: 'svc', arguments: { query: 'Who does Person B1 know?' } })

export interface Target {
  /** Of the proxy. */
  port: number
  accessToken: string
  server: AuthorizationServer & { cookies: string }
}

const noCounts = (): Record<Kind, Count> => {
  const none = () => ({ requests: 0, refused: 0, failed: 0, lost: 0, longest: 0 })
  return { questions: none(), refreshes: none(), pages: none() }
}

/** Assistants and browsers that go on whatever happens, each with one connection to the proxy. */
export class Users {
  counts = noCounts()
  readonly #target: Target
  readonly #work: Promise<void>[] = []
  #isOver = false

  constructor(target: Target) {
    this.#target = target
  }

  /** Forgets what was counted: the first answers of processes that have just started are slow. */
  countAnew(): void {
    this.counts = noCounts()
  }

  /** Resolves when each has what it needs, and begins. */
  async start(): Promise<void> {
    for (const kind of KINDS)
      for (let i = 0; i < USERS[kind].count; i++) {
        const step = await this.#stepOf(kind)
        this.#work.push(this.#repeat(kind, step))
      }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#work)
  }

  async #repeat(kind: Kind, step: Step): Promise<void> {
    let connection: Connection | null = null
    let askedAt: number | null = null
    while (!this.#isOver) {
      await pause(askedAt === null ? USERS[kind].pauseMs : AGAIN_MS)
      askedAt ??= performance.now()
      this.counts[kind].requests++
      let outcome: Outcome = 'failed'
      try {
        connection ??= await Connection.open(this.#target.port)
        outcome = await step(connection)
      } catch {
        connection?.close()
        connection = null
      }
      const count = this.counts[kind]
      if (outcome === 'good') {
        count.longest = Math.max(count.longest, performance.now() - askedAt)
        askedAt = null
      } else count[outcome]++
    }
    connection?.close()
  }

  async #stepOf(kind: Kind): Promise<Step> {
    if (kind === 'refreshes') return this.#refreshing()
    const { accessToken, server } = this.#target
    const json = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' }
    const asks = kind === 'questions'
    const request = asks
      ? requestText('POST', '/mcp/v1', json, QUESTION)
      : requestText('GET', '/safes', { Accept: 'text/html', Cookie: server.cookies })
    return async connection => {
      const { status, body } = await connection.send(request)
      if (status === 303) return 'lost'
      return status === 200 && body.includes(asks ? 'Person' : 'Bench') ? 'good' : unless503(status)
    }
  }

  /** Presents the same token until it is answered, as assistants do; connects anew when it was refused for good. */
  async #refreshing(): Promise<Step> {
    const { server, port } = this.#target
    const begin = async (connection: Connection) =>
      redeem(connection, server, await new Browser(server).code(connection))
    let token: string | null = await patiently(port, begin)
    return async connection => {
      token ??= await begin(connection)
      const fields = { grant_type: 'refresh_token', client_id: server.clientId, refresh_token: token }
      const { status, body } = await post(connection, server.tokenPath, fields)
      const [, next] = /"refresh_token":"([^"]+)"/.exec(body) ?? []
      if (status === 200 && next) token = next
      if (status === 400) token = null
      return status === 200 ? 'good' : status === 400 ? 'lost' : unless503(status)
    }
  }
}

const unless503 = (status: number): Outcome => (status === 503 ? 'refused' : 'failed')

/** On a machine that does other work, a process may refuse a request, or the proxy may take it for down. */
async function patiently<T>(port: number, work: (connection: Connection) => Promise<T>): Promise<T> {
  for (;;) {
    const connection = await Connection.open(port)
    try {
      return await work(connection)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      await pause(AGAIN_MS)
    } finally {
      connection.close()
    }
  }
}
