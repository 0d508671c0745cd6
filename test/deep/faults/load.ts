import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { people } from '../../integration/safes/open.js'
import { type Tokens, Unavailable, type Visitor } from './visitor.js'

const PAUSE_MS = 10
const QUESTION = {
  id: 1,
  method: 'tools/call',
  params: { name: 'svc', arguments: { query: 'Who leads the Lens Restoration?' } },
}

/** One user and several assistants who continue after every fault. Any answer except the right one or 503 is an error. */
export class Load {
  /** The acknowledged results of the service. */
  readonly acknowledged = {
    safes: [] as string[],
    imports: [] as number[],
    connections: [] as Tokens[],
    rotations: 0,
    questions: 0,
  }
  /** How often it was 503. */
  refused = 0
  /** How often a request was carried out although it was answered with 503. */
  unheard = 0
  readonly #visitor: Visitor
  readonly #safeId: string
  /** How many answers each participant got. */
  readonly #answers = new Map<string, number>()
  #over = false

  /** `safeId`: the Safe that imports go into. */
  constructor(visitor: Visitor, safeId: string) {
    this.#visitor = visitor
    this.#safeId = safeId
  }

  /**
   * Runs the load until `fault` is over. The fault begins once each kind of work was done. `asking` may ask the sample,
   * each of `rotating` is rotated. Returns the latest pairs.
   */
  async during(t: Test, asking: Tokens, rotating: Tokens[], fault: () => Promise<void>): Promise<Tokens[]> {
    this.#over = false
    const before = this.refused
    const work = Promise.all([
      Promise.all(rotating.map((pair, i) => this.#rotate(`rotator ${i}`, pair))),
      this.#repeat('asker', () => this.#ask(asking)),
      this.#repeat('connector', () => this.#connect()),
      this.#repeat('importer', () => this.#import()),
      this.#repeat('creator', () => this.#create()),
    ])
    try {
      // A broken promise ends the test at once.
      await Promise.race([this.#allWentOn().then(fault), work])
      await Promise.race([this.#allWentOn(), work])
    } finally {
      this.#over = true
    }
    const [pairs] = await work
    t.ok(this.refused > before, 'somebody was told 503')
    return pairs
  }

  /** Until everybody has two answers; requests to a silent store get none. */
  async allAreAnswered(): Promise<void> {
    const before = new Map(this.#answers)
    const enough = (who: string) => (this.#answers.get(who) ?? 0) >= (before.get(who) ?? 0) + 2
    while (![...before.keys()].every(enough)) await sleep(PAUSE_MS)
  }

  /** Until each kind of work was done again, without a restart. */
  async #allWentOn(): Promise<void> {
    const done = () =>
      Object.values(this.acknowledged).map(one => (typeof one === 'number' ? one : one.length))
    const before = done()
    while (!this.#over && done().some((count, i) => count <= (before[i] ?? 0))) await sleep(PAUSE_MS)
  }

  async #repeat(who: string, step: () => Promise<unknown>): Promise<void> {
    while (!this.#over) await this.#patiently(who, step)
  }

  /** Null: the service said 503. */
  async #patiently<T>(who: string, step: () => Promise<T>): Promise<T | null> {
    await sleep(PAUSE_MS)
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      this.refused++
      return null
    } finally {
      this.#answers.set(who, (this.#answers.get(who) ?? 0) + 1)
    }
  }

  async #ask(tokens: Tokens): Promise<void> {
    const { status, body } = await this.#visitor.call(tokens, QUESTION)
    if (status !== 200 || !body.includes('Lens Restoration')) throw new Error(`${status}: ${body}`)
    this.acknowledged.questions++
  }

  async #create(): Promise<void> {
    const made = await this.#visitor.submit('/safes', '/safes', { name: crypto.randomUUID() })
    this.acknowledged.safes.push(String(made.headers.get('location')))
  }

  async #import(): Promise<void> {
    const name = crypto.randomUUID()
    const text = people(50).replaceAll('/p', `/${name}-`)
    this.acknowledged.imports.push(await this.#visitor.import(this.#safeId, `${name}.nt`, text))
  }

  async #connect(): Promise<void> {
    const tokens = await this.#once('connector', await this.#visitor.code(), code =>
      this.#visitor.redeem(code),
    )
    if (tokens) this.acknowledged.connections.push(tokens)
  }

  async #rotate(who: string, pair: Tokens): Promise<Tokens> {
    let latest = pair
    while (!this.#over) {
      const next = await this.#once(who, latest, pair => this.#visitor.refresh(pair))
      latest = next ?? (await this.#newConnection(who))
      await this.#patiently(who, async () => {
        if (!(await this.#visitor.opens(latest))) throw new Error('a good access token was refused')
      })
      this.acknowledged.rotations++
    }
    return latest
  }

  async #newConnection(who: string): Promise<Tokens> {
    for (;;) {
      const tokens = await this.#patiently(who, async () => this.#visitor.redeem(await this.#visitor.code()))
      if (tokens) return tokens
    }
  }

  /** Presents a single-use value twice at a time until it is used up. Null: it was used, and nobody got the answer. */
  async #once<T>(who: string, what: T, use: (what: T) => Promise<Tokens | null>): Promise<Tokens | null> {
    for (let wasRefused = false; ; ) {
      const present = () => this.#patiently(who, async () => ({ tokens: await use(what) }))
      const answers = await Promise.all([present(), present()])
      const [won, second] = answers.flatMap(answer => answer?.tokens ?? [])
      // A request that was answered with 503 may be repeated, and gets the same answer (ADR 2).
      if (second && second.access_token !== won?.access_token) throw new Error('it was used twice')
      if (won) return won
      if (!answers.includes(null)) {
        if (!wasRefused) throw new Error('what was good was refused')
        this.unheard++
        return null
      }
      wasRefused = true
    }
  }
}
