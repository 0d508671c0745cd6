import { createHmac, hash, randomBytes, randomFillSync } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `count` random bytes. Passed as a parameter, so that tests are deterministic. */
export type Random = (count: number) => Buffer

/**
 * A pool of random bytes, as in `crypto.randomUUID`, because each draw is a system call. Used bytes are
 * erased.
 */
const pool = Buffer.alloc(4096)
let used = pool.length

/** Bytes of the pool. */
export const random: Random = count => {
  if (count > pool.length) return randomBytes(count)
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + count))
  pool.fill(0, used, used + count)
  used += count
  return bytes
}

/** Digits converted at once: 62^8 is exact as a number, and BigInt arithmetic is slow. */
const DIGITS = 8
const CHUNK = BigInt(62 ** DIGITS)

/** Encodes bytes as base62 of fixed length: 16 bytes give 22 characters, 32 bytes give 43. */
export function base62(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / Math.log2(62))
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (text.length < length) {
    let chunk = Number(rest % CHUNK)
    rest /= CHUNK
    for (let i = 0; i < DIGITS; i++) {
      text = BASE62[chunk % 62] + text
      chunk = Math.floor(chunk / 62)
    }
  }
  return text.slice(-length)
}

/** Generates a secret of 256 bits, 43 characters. Only its `hashSecret` is ever stored. */
export const newSecret = (from: Random = random) => base62(from(32))

/** Generates an identifier of 128 bits, 22 characters. Not a secret. */
export const newId = (from: Random = random) => base62(from(16))

/** The stored form of a secret: SHA-256, base64url. Needs no salt, because secrets have 256 random bits. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')

/** HMAC-SHA-256, for MACs and for deriving keys. */
export const mac = (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest()

/** Derives a key for one purpose from the service's own key. */
export type KeyFor = (purpose: string) => Buffer
