import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { until } from '../../until.js'
import { type Assistant, assistantOf } from '../oauth/assistant.js'
import { promised } from './patience.js'

const CONNECTIONS = 12
/** How often each presents a token before the fault, and after it. */
const ROUNDS = 3

/** One connection in use: every refresh token is presented twice at once, every access token once. */
export class User {
  readonly #t: Test
  readonly #assistant: Assistant
  refreshToken: string
  accessToken: string
  /** How often each refresh token was answered with tokens. */
  readonly spent = new Map<string, Set<string>>()
  /** What `ping` was answered. */
  readonly statuses = new Set<number>()
  refused = 0
  /** How often it presented a token, with any outcome. */
  rounds = 0
  /** Its token is used up. */
  isDone = false

  constructor(t: Test, assistant: Assistant, pair: { access_token: string; refresh_token: string }) {
    this.#t = t
    this.#assistant = assistant
    this.refreshToken = pair.refresh_token
    this.accessToken = pair.access_token
  }

  async ping(): Promise<number> {
    const { statusCode } = await promised(this.#t, () =>
      this.#assistant.app.inject({
        method: 'POST',
        url: '/mcp/v1',
        headers: { authorization: `Bearer ${this.accessToken}` },
        payload: rpc(1, 'ping'),
      }),
    )
    this.statuses.add(statusCode)
    return statusCode
  }

  /** Returns false when the token is used up, or its answer was lost. */
  async refresh(): Promise<boolean> {
    const token = this.refreshToken
    const send = () => promised(this.#t, () => this.#assistant.refresh(token))
    const answers = await Promise.all([send(), send()])
    this.rounds++
    const good = answers.filter(({ statusCode }) => statusCode === 200)
    const refused = answers.filter(({ statusCode }) => statusCode === 503).length
    this.refused += refused
    const successors = this.spent.get(token) ?? new Set()
    for (const answer of good) successors.add(answer.json().refresh_token)
    this.spent.set(token, successors)
    const pair = good[0]?.json()
    if (!pair) return refused > 0
    this.refreshToken = pair.refresh_token
    this.accessToken = pair.access_token
    return true
  }
}

/** Some connections of one account. */
export async function connectUsers(t: Test, app: FastifyInstance) {
  const { assistant } = await assistantOf(app)
  const pairs = await Promise.all(Array.from({ length: CONNECTIONS }, () => assistant.connect()))
  return { assistant, users: pairs.map(pair => new User(t, assistant, pair)) }
}

/** All of them work, with `fault` in the middle. Asserts that the fault was noticed and nothing was used twice. */
export async function underLoad(t: Test, users: User[], fault: () => Promise<void>): Promise<void> {
  let over = false
  const work = async (user: User) => {
    while (!over && (await user.refresh())) {
      await user.ping()
      await sleep(10)
    }
    user.isDone = true
  }
  const goOn = () => {
    const enough = users.map(({ rounds }) => rounds + ROUNDS)
    return until(() => users.every((user, i) => user.isDone || user.rounds >= (enough[i] ?? 0)))
  }
  const working = Promise.all(users.map(work))
  await goOn()
  await fault()
  await goOn()
  over = true
  await working
  t.ok(
    users.some(({ refused }) => refused > 0),
    'a client received 503',
  )
  const counts = users.flatMap(({ spent }) => [...spent.values()])
  t.ok(counts.length > 2 * CONNECTIONS, 'there was load')
  t.notOk(
    counts.some(({ size }) => size > 1),
    'no refresh token had two successors: what 503 answered may be repeated (ADR 2)',
  )
}
