import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from './attacks.js'

/** A longer wait counts as giving up. */
const PATIENCE_MS = 5000
const EVERY_MS = 50

/** A user who asks their Safe a question twenty times a second, or opens a document. */
export class HonestUser {
  readonly #target: Target
  readonly #opensDocument: boolean
  #stopped = false
  #calls = 0
  #times: number[] = []

  constructor(target: Target, opensDocument: boolean) {
    this.#target = target
    this.#opensDocument = opensDocument
  }

  async work(): Promise<void> {
    this.#stopped = false
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

  /** Only answers with content count. */
  async ask(): Promise<void> {
    const began = performance.now()
    this.#calls++
    const { url, tokens, cookie, documents } = this.#target
    const params = { name: 'svc', arguments: { query: 'Who keeps the lighthouse?', max_tokens: 500 } }
    const question = {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }
    const [path, init] = this.#opensDocument
      ? [documents[0], { headers: { cookie, accept: 'text/html' } }]
      : ['/mcp/v1', question]
    const text = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      response => response.text(),
      () => '',
    )
    const isAnswer = this.#opensDocument ? text.includes('Paragraph 1.') : text.includes('"result"')
    if (isAnswer && !text.includes('"isError":true')) this.#times.push(performance.now() - began)
  }
}
