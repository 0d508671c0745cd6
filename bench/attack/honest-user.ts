import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from './attacks.js'

/** Whoever waits longer has given up. */
const PATIENCE_MS = 5000
const EVERY_MS = 50

/** Somebody who asks their Safe a question twenty times a second. */
export class HonestUser {
  readonly #target: Target
  #stopped = false
  #calls = 0
  #times: number[] = []

  constructor(target: Target) {
    this.#target = target
  }

  async work(): Promise<void> {
    const calls: Promise<void>[] = []
    while (!this.#stopped) {
      calls.push(this.ask())
      await pause(EVERY_MS)
    }
    await Promise.all(calls)
  }

  stop(): void {
    this.#stopped = true
  }

  take() {
    const taken = { calls: this.#calls, times: this.#times.map(Math.round) }
    this.#calls = 0
    this.#times = []
    return taken
  }

  /** Only an answer that says something counts. */
  async ask(): Promise<void> {
    const began = performance.now()
    this.#calls++
    const params = { name: 'svc', arguments: { query: 'Who keeps the lighthouse?', max_tokens: 500 } }
    const text = await fetch(`${this.#target.url}/mcp/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#target.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).then(
      response => response.text(),
      () => '',
    )
    if (text.includes('"result"') && !text.includes('"isError":true'))
      this.#times.push(performance.now() - began)
  }
}
