import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { convert } from '../../../bench/wordnet/convert.js'
import { rootDir } from '../../../platform/common/package.js'
import { freePort } from '../../free-port.js'
import { collect, type Installation } from './node.js'

export interface Access {
  /** The id of the Safe. */
  safe: string
  token: string
}

/** `npm start` of one installation on one data folder, and the actions of a person and an assistant with it. */
export class Service {
  readonly #installation: Installation
  readonly #command: string[]
  readonly #env: Record<string, string>
  #child: ReturnType<Installation['start']> | null = null
  /** Everything that its processes wrote to standard error. */
  printed = ''
  readonly url: string

  private constructor(installation: Installation, dataDir: string, port: number, command: string[]) {
    this.#installation = installation
    this.#command = command
    this.#env = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', CALLS_PER_SECOND: '0' }
    this.url = `http://localhost:${port}`
  }

  /** `command`: what starts it. */
  static async start(
    t: Test,
    installation: Installation,
    dataDir: string,
    command = ['dist/server.js'],
  ): Promise<Service> {
    const service = new Service(installation, dataDir, await freePort(), command)
    t.teardown(() => service.stop('SIGKILL'))
    await service.start()
    return service
  }

  async start(): Promise<void> {
    const child = this.#installation.start(this.#command, this.#env)
    this.#child = child
    const [out, err] = [collect(child.stdout), collect(child.stderr)]
    child.once('close', () => {
      this.printed += out() + err()
    })
    while (!err().includes('Listening on')) {
      if (child.exitCode !== null || child.signalCode) throw new Error(`it did not start:\n${err()}`)
      await sleep(20)
    }
    this.setupLink = /http:\S+\/setup\?token=\S+/.exec(err())?.[0] ?? null
  }

  setupLink: string | null = null

  /** @returns the exit code, null after a signal */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode) return child?.exitCode ?? null
    child.kill(signal)
    const [code] = (await once(child, 'close')) as [number | null]
    return code
  }

  /** The form behind the one-time link. */
  async setUp(email: string, password: string): Promise<number> {
    const form = await fetch(this.setupLink ?? '')
    const hidden = (await form.text()).matchAll(/<input type="hidden" name="(\w+)" value="([^"]+)"/g)
    const fields = [...hidden].map(([, name = '', value = '']): [string, string] => [name, value])
    const cookie = form.headers.getSetCookie().map(each => each.split(';')[0])
    const reply = await fetch(`${this.url}/setup`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: this.url, Cookie: cookie.join('; ') },
      body: new URLSearchParams([...fields, ['email', email], ['password', password]]),
    })
    return reply.status
  }

  /** The command line beside the running server. @throws Error when it refuses */
  async svc(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#installation.run(['dist/cli.js', ...args], {
      env: this.#env,
    })
    this.printed += stderr
    if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
    return stdout.trim()
  }

  /** A question over MCP to the Safe of the token; a client tries again after 503. @returns the answer as text */
  async ask({ safe, token }: Access, query: string, patience = 30): Promise<string> {
    const params = { name: 'svc', arguments: { query } }
    const reply = await fetch(`${this.url}/mcp/v1/${safe}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    if (reply.status === 503 && patience > 0) {
      await sleep(1000 * Number(reply.headers.get('Retry-After')))
      return this.ask({ safe, token }, query, patience - 1)
    }
    const body = (await reply.json()) as { result?: { isError?: boolean; content: { text: string }[] } }
    if (reply.status !== 200 || !body.result || body.result.isError)
      throw new Error(`${reply.status} ${JSON.stringify(body)}`)
    return body.result.content.map(({ text }) => text).join('\n')
  }
}

/** Writes the first lines of WordNet as N-Triples. @returns the names in it, in order */
export async function wordnet(file: string, lines: number): Promise<string[]> {
  execFileSync('node', ['scripts/install-packages.mjs', 'bench'], { cwd: rootDir })
  const out = createWriteStream(file)
  const names: string[] = []
  let left = lines
  const take = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).split('\n')) {
        if (line === '' || left === 0) continue
        left--
        out.write(`${line}\n`)
        const [, name] = /#label> "([^"\\]+)"/.exec(line) ?? []
        if (name) names.push(name)
      }
      done()
    },
  })
  await convert(take)
  out.end()
  await finished(out)
  return names
}
