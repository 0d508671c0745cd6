import { connect, type Socket } from 'node:net'

/** What became of the requests of one stretch of time. */
export interface Counted {
  offered: number
  /** By status; 0: no answer, the connection broke. */
  byStatus: Map<number, number>
  /** Milliseconds, by status, from when the request left or would have, had there been a connection free. */
  times: Map<number, number[]>
  /** Milliseconds that requests left later than they were due, because this process was busy. */
  lag: number[]
}

const TICK_MS = 2
/** How long is waited for the last answers, at most. */
const AFTER_MS = 5000
const HEAD_END = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i

/**
 * An open loop: requests leave when they are due, whether or not earlier ones were answered, as those of independent
 * clients do; what is due while all connections are taken waits, and its time runs. Sockets are written by hand,
 * because an HTTP client takes as long for a request as the service does.
 */
export class Generator {
  readonly #port: number
  readonly #requests: readonly Buffer[]
  readonly #free: Lane[] = []
  readonly #lanes = new Set<Lane>()
  /** When what waits for a connection was offered; `#waiting` points at the first. */
  #due: number[] = []
  #waiting = 0
  #turn = 0
  #isClosedLoop = false
  #counted = newCount()

  /** Sends `requests` in turn. */
  constructor(port: number, requests: readonly Buffer[]) {
    this.#port = port
    this.#requests = requests
  }

  /** Opens connections, a few at a time as clients come. */
  async open(sockets: number): Promise<void> {
    while (this.#lanes.size < sockets) {
      for (let i = 0; i < 50 && this.#lanes.size < sockets; i++) this.#free.push(this.#newLane())
      await pause(25)
    }
  }

  /** Offers `perSecond` requests for `seconds`. */
  async run(perSecond: number, seconds: number): Promise<Counted> {
    const counted = newCount()
    this.#counted = counted
    const began = performance.now()
    for (let sent = 0; ; ) {
      const elapsed = performance.now() - began
      const wanted = Math.floor((Math.min(elapsed, seconds * 1000) * perSecond) / 1000)
      for (; sent < wanted; sent++) {
        const now = performance.now()
        counted.lag.push(now - began - (sent * 1000) / perSecond)
        this.#offer(now)
      }
      if (elapsed > seconds * 1000) break
      await pause(TICK_MS)
    }
    await this.#answered()
    return counted
  }

  /** A closed loop: `clients` of them send their next request when the last one was answered. */
  async saturate(clients: number, seconds: number): Promise<Counted> {
    const counted = newCount()
    this.#counted = counted
    this.#isClosedLoop = true
    for (let i = 0; i < clients; i++) this.#offer(performance.now())
    await pause(seconds * 1000)
    this.#isClosedLoop = false
    await this.#answered()
    return counted
  }

  /** Resolves when nothing is under way. What could not leave by then is no part of the next stretch. */
  async #answered(): Promise<void> {
    for (let waited = 0; waited < AFTER_MS && this.#free.length < this.#lanes.size; waited += 50)
      await pause(50)
    this.#due = []
    this.#waiting = 0
  }

  #offer(now: number): void {
    this.#counted.offered++
    const lane = this.#free.pop()
    if (lane) lane.send(now, this.#next())
    else this.#due.push(now)
  }

  #next(): Buffer {
    return this.#requests[this.#turn++ % this.#requests.length] as Buffer
  }

  #newLane(): Lane {
    const lane = new Lane(this.#port, (status, ms) => {
      this.#count(status, ms)
      let next = lane
      if (status === 0) {
        this.#lanes.delete(lane)
        next = this.#newLane()
      }
      // Not `shift`: with tens of thousands waiting it takes longer than the rest.
      const due = this.#due[this.#waiting]
      if (due === undefined) this.#free.push(next)
      else {
        this.#waiting++
        next.send(due, this.#next())
      }
      if (this.#isClosedLoop) this.#offer(performance.now())
    })
    this.#lanes.add(lane)
    return lane
  }

  #count(status: number, ms: number): void {
    const { byStatus, times } = this.#counted
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    const list = times.get(status)
    if (list) list.push(ms)
    else times.set(status, [ms])
  }
}

/** One connection: one request after the other. */
class Lane {
  readonly #socket: Socket
  readonly #answered: (status: number, ms: number) => void
  #at: number | null = null
  #read: Buffer | null = null

  constructor(port: number, answered: (status: number, ms: number) => void) {
    this.#answered = answered
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.on('data', chunk => this.#onData(chunk))
    this.#socket.on('error', () => this.#end(0))
    this.#socket.on('close', () => this.#end(0))
  }

  send(at: number, request: Buffer): void {
    this.#at = at
    this.#socket.write(request)
  }

  #onData(chunk: Buffer): void {
    const read = this.#read ? Buffer.concat([this.#read, chunk]) : chunk
    const head = read.indexOf(HEAD_END)
    const length = head < 0 ? 0 : Number(CONTENT_LENGTH.exec(read.toString('latin1', 0, head))?.[1] ?? 0)
    if (head < 0 || read.length < head + 4 + length) {
      this.#read = read
      return
    }
    this.#read = null
    this.#end(Number(read.toString('latin1', 9, 12)))
  }

  #end(status: number): void {
    if (this.#at === null) return
    const ms = performance.now() - this.#at
    this.#at = null
    this.#answered(status, ms)
  }
}

const newCount = (): Counted => ({ offered: 0, byStatus: new Map(), times: new Map(), lag: [] })
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
