import { connect, type Socket } from 'node:net'

/** What became of the requests of one stretch of time. */
export interface Counted {
  offered: number
  /** By status; 0: no answer, the connection broke. */
  byStatus: Map<number, number>
  /** Milliseconds from the time a request was due, by status. */
  times: Map<number, number[]>
}

/** Connections of a crowd of clients, open from the start; what is due while all are taken waits, and its time runs. */
const SOCKETS = 2000
const TICK_MS = 5
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i

/**
 * An open loop: requests leave when they are due, whether or not earlier ones were answered, as those of independent
 * clients do. Sockets are written by hand, because an HTTP client takes as long for a request as the service does.
 */
export class Generator {
  readonly #port: number
  readonly #next: () => string
  readonly #free: Lane[] = []
  readonly #lanes = new Set<Lane>()
  readonly #due: number[] = []
  #closed = false
  counted: Counted = newCount()

  /** `next` makes the bytes of a request. */
  constructor(port: number, next: () => string) {
    this.#port = port
    this.#next = next
  }

  /** Opens the connections, a few at a time as clients come. */
  async open(): Promise<void> {
    while (this.#lanes.size < SOCKETS) {
      for (let i = 0; i < 100; i++) this.#free.push(this.#newLane())
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  /** Offers `perSecond` requests for `seconds`, and waits a second for the last answers. */
  async run(perSecond: number, seconds: number): Promise<Counted> {
    this.counted = newCount()
    const began = performance.now()
    let sent = 0
    for (;;) {
      const elapsed = performance.now() - began
      const wanted = Math.floor((Math.min(elapsed, seconds * 1000) * perSecond) / 1000)
      for (; sent < wanted; sent++) this.#offer(began + (sent * 1000) / perSecond)
      if (elapsed > seconds * 1000) break
      await new Promise(resolve => setTimeout(resolve, TICK_MS))
    }
    await new Promise(resolve => setTimeout(resolve, 1000))
    // What could not be sent by then is no part of the next stretch.
    this.#due.length = 0
    return this.counted
  }

  /** A closed loop: `clients` of them send their next request when the last one was answered. Answers per second. */
  async saturate(clients: number, seconds: number): Promise<number> {
    this.counted = newCount()
    this.#closed = true
    for (let i = 0; i < clients; i++) this.#offer(performance.now())
    await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    this.#closed = false
    await new Promise(resolve => setTimeout(resolve, 500))
    return (this.counted.byStatus.get(200) ?? 0) / seconds
  }

  close(): void {
    for (const lane of this.#lanes) lane.close()
  }

  #offer(at: number): void {
    this.counted.offered++
    this.#due.push(at)
    this.#send()
  }

  #send(): void {
    while (this.#due.length > 0) {
      const lane = this.#free.shift()
      if (!lane) return
      lane.send(this.#due.shift() as number, this.#next())
    }
  }

  #newLane(): Lane {
    const lane = new Lane(this.#port, (status, at) => {
      this.#count(status, at)
      if (status === 0) {
        this.#lanes.delete(lane)
        this.#free.push(this.#newLane())
      } else this.#free.push(lane)
      if (this.#closed) this.#offer(performance.now())
      this.#send()
    })
    this.#lanes.add(lane)
    return lane
  }

  #count(status: number, at: number): void {
    const { byStatus, times } = this.counted
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    const list = times.get(status) ?? []
    list.push(performance.now() - at)
    times.set(status, list)
  }
}

/** One connection: one request after the other. */
class Lane {
  readonly #socket: Socket
  #at: number | null = null
  #read = ''

  constructor(port: number, answered: (status: number, at: number) => void) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.on('data', chunk => {
      this.#read += chunk.toString('latin1')
      const head = this.#read.indexOf('\r\n\r\n')
      if (head < 0 || this.#at === null) return
      const length = Number(CONTENT_LENGTH.exec(this.#read)?.[1] ?? 0)
      if (this.#read.length < head + 4 + length) return
      const status = Number(this.#read.slice(9, 12))
      const at = this.#at
      this.#at = null
      this.#read = ''
      answered(status, at)
    })
    const broken = () => {
      const at = this.#at
      this.#at = null
      if (at !== null) answered(0, at)
    }
    this.#socket.on('error', broken)
    this.#socket.on('close', broken)
  }

  send(at: number, request: string): void {
    this.#at = at
    this.#socket.write(request)
  }

  close(): void {
    this.#at = null
    this.#socket.destroy()
  }
}

const newCount = (): Counted => ({ offered: 0, byStatus: new Map(), times: new Map() })
