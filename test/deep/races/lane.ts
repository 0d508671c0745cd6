import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { encode, type Fields } from '../../integration/oauth/assistant.js'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  json(): Record<string, string>
}

/** A request that has arrived except for its last byte. */
export type Held = { finish(): Promise<Answer> }

/** The connection to one process: real sockets that stay open. */
export class Lane {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true })

  constructor(url: string) {
    this.#url = url
  }

  close(): void {
    this.#agent.destroy()
  }

  form(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Held> {
    return this.#hold(path, encode(fields), {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    })
  }

  json(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Held> {
    return this.#hold(path, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  }

  /** Whether an access token opens the MCP endpoint here. */
  async opens(accessToken: string): Promise<boolean> {
    const ping = await this.json(
      '/mcp/v1',
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { authorization: `Bearer ${accessToken}` },
    )
    return (await ping.finish()).status === 200
  }

  async #hold(path: string, body: string, headers: Record<string, string>): Promise<Held> {
    const sent = request(`${this.#url}${path}`, {
      method: 'POST',
      agent: this.#agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    const answer = answerTo(sent)
    answer.catch(() => {})
    await new Promise(written => sent.write(body.slice(0, -1), written))
    return {
      finish() {
        sent.end(body.slice(-1))
        return answer
      },
    }
  }
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = await once(sent, 'response')
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  return { status: response.statusCode, headers: response.headers, body, json: () => JSON.parse(body) }
}

/**
 * Sends requests at the same moment: every process has all of its own except for their last bytes, which follow in an
 * order that `seed` decides; together, or within `spreadMs` if one would otherwise always be first. Answers come in the
 * order of the requests.
 */
export async function atOnce(requests: Promise<Held>[], seed: number, spreadMs = 0): Promise<Answer[]> {
  const held = await Promise.all(requests)
  const random = mulberry32(seed)
  const starts = held.map((request, i) => ({ request, i, at: random() }))
  const answers: Promise<Answer>[] = []
  for (const { request, i, at } of starts.sort((a, b) => a.at - b.at)) {
    answers[i] = spreadMs > 0 ? sleep(at * spreadMs).then(() => request.finish()) : request.finish()
  }
  return Promise.all(answers)
}

/** Random numbers from 0 to 1, the same for the same seed. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
