// A crowd of clients in a process of its own, so that one crowd does not wait for another. Told what to do by messages;
// answers each with what became of the requests.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Counted, Generator } from './generator.js'

interface Clients {
  port: number
  sockets: number
  /** Whole HTTP requests, sent in turn. */
  requests: string[]
}

type Order =
  | { open: Clients }
  | { run: [perSecond: number, seconds: number] }
  | { saturate: [number, number] }

/** A crowd as the bench sees it. */
export class Crowd {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async of(clients: Clients): Promise<Crowd> {
    const child = fork(new URL(import.meta.url), {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
      env: { ...process.env, IS_CROWD: '1' },
    })
    await once(child, 'message')
    const crowd = new Crowd(child)
    await crowd.#order({ open: clients })
    return crowd
  }

  run(perSecond: number, seconds: number): Promise<Counted> {
    return this.#order({ run: [perSecond, seconds] })
  }

  /** Answers per second of a closed loop. */
  async saturate(clients: number, seconds: number): Promise<number> {
    const { byStatus } = await this.#order({ saturate: [clients, seconds] })
    return (byStatus.get(200) ?? 0) / seconds
  }

  async leave(): Promise<void> {
    this.#child.kill()
    await once(this.#child, 'exit')
  }

  async #order(order: Order): Promise<Counted> {
    this.#child.send(order)
    const [counted] = await once(this.#child, 'message')
    return counted as Counted
  }
}

if (process.env.IS_CROWD) {
  let generator: Generator | undefined
  const obey = async (order: Order) => {
    if ('open' in order) {
      const { port, sockets, requests } = order.open
      generator = new Generator(
        port,
        requests.map(text => Buffer.from(text)),
      )
      return generator.open(sockets)
    }
    if ('run' in order) return generator?.run(...order.run)
    return generator?.saturate(...order.saturate)
  }
  process.on('message', async (order: Order) => process.send?.((await obey(order)) ?? null))
  process.send?.(null)
}
