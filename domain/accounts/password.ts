import { type BinaryLike, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Random } from '../../platform/common/secrets.js'
import { FairQueue, type Sender } from './queue.js'

const scryptOnce = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** The parameters of scrypt (RFC 7914): N = 2^ln, r, p. */
export interface ScryptCost {
  ln: number
  r: number
  p: number
}

/** OWASP's recommendation with 32 MiB of memory. */
const COST: ScryptCost = { ln: 15, r: 8, p: 3 }
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w+/-]+)\$([\w+/-]+)$/

/**
 * Each hash takes a core and 32 MiB for a quarter of a second. One core is reserved for all other requests if there is more
 * than one.
 */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))
/** Maximum tasks at the same time: four per sender and 514 in all, running or waiting. */
const LIMITS = { concurrency: AT_ONCE, waitingPerSender: 4 - AT_ONCE, waiting: 514 - AT_ONCE }

/** Hashes passwords with scrypt, with limited concurrency and fair to all senders (docs/decisions/0019). */
export class Passwords {
  readonly #random: Random
  readonly #cost: ScryptCost
  readonly #queue = new FairQueue(LIMITS)
  readonly #scrypt: typeof scryptOnce

  /** @param cost of new hashes; existing hashes are verified with the cost they contain */
  constructor(random: Random, cost: ScryptCost = COST, derive = scryptOnce) {
    this.#random = random
    this.#cost = cost
    this.#scrypt = derive
  }

  /**
   * Returns a PHC string, e.g. `$scrypt$ln=15,r=8,p=3$salt$hash`. Without a sender, the work counts as the
   * service's own.
   * @throws as `FairQueue.run`
   */
  async hash(password: string, sender?: Sender): Promise<string> {
    const salt = this.#random(16)
    const hash = await this.#derive(password, salt, 32, this.#cost, sender)
    const { ln, r, p } = this.#cost
    return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`
  }

  /**
   * Whether the password matches the PHC string. Without a string (no such account), returns false after the
   * same work, so that timing reveals nothing (RULES C9).
   * @throws as `FairQueue.run`
   */
  async verify(password: string, phc: string | null, sender?: Sender): Promise<boolean> {
    const [, ln, r, p, salt, hash] = phc?.match(PHC) ?? []
    if (!salt || !hash) {
      await this.#derive(password, Buffer.alloc(16), 32, this.#cost, sender)
      return false
    }
    const expected = Buffer.from(hash, 'base64')
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
    const actual = await this.#derive(password, Buffer.from(salt, 'base64'), expected.length, cost, sender)
    return timingSafeEqual(actual, expected)
  }

  #derive(
    password: string,
    salt: Buffer,
    length: number,
    { ln, r, p }: ScryptCost,
    sender: Sender | undefined,
  ): Promise<Buffer> {
    const N = 2 ** ln
    // Node allows 32 MiB by default; scrypt needs slightly more than 128·r·(N+p) bytes.
    const maxmem = 256 * r * (N + p)
    const work = () => this.#scrypt(password.normalize('NFKC'), salt, length, { N, r, p, maxmem })
    return this.#queue.run(work, sender)
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
