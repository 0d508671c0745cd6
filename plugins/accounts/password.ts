import { type BinaryLike, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Random } from '../secret.js'
import { Queue } from './queue.js'

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** OWASP's scrypt recommendation with 32 MiB of memory: N=2^15, r=8, p=3. */
const COST = { ln: 15, r: 8, p: 3 }
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w+/-]+)\$([\w+/-]+)$/

/** Hashes passwords with scrypt, two at a time, because each takes a core and 32 MiB for a quarter of a second. */
export class Passwords {
  readonly #random: Random
  readonly #queue = new Queue(2, 64)

  constructor(random: Random) {
    this.#random = random
  }

  /** A PHC string: `$scrypt$ln=15,r=8,p=3$salt$hash`. @throws Unavailable when too many are waiting */
  async hash(password: string): Promise<string> {
    const salt = this.#random(16)
    const hash = await this.#derive(password, salt, 32, COST)
    const { ln, r, p } = COST
    return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`
  }

  /**
   * Whether the password is the one of that PHC string. Without a string (no such account) the answer is no, after
   * the same work, so that the time tells nothing (RULES C9).
   */
  async verify(password: string, phc: string | null): Promise<boolean> {
    const [, ln, r, p, salt, hash] = phc?.match(PHC) ?? []
    if (!salt || !hash) {
      await this.#derive(password, Buffer.alloc(16), 32, COST)
      return false
    }
    const expected = Buffer.from(hash, 'base64')
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
    const actual = await this.#derive(password, Buffer.from(salt, 'base64'), expected.length, cost)
    return timingSafeEqual(actual, expected)
  }

  #derive(password: string, salt: Buffer, length: number, { ln, r, p }: typeof COST): Promise<Buffer> {
    const N = 2 ** ln
    // Node refuses more than 32 MiB by default; scrypt needs 128·r·(N+p) bytes and a little.
    const maxmem = 256 * r * (N + p)
    return this.#queue.run(() => derive(password.normalize('NFKC'), salt, length, { N, r, p, maxmem }))
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
