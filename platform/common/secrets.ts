import { createHmac, hash, randomBytes, randomFillSync } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `count` random bytes. Passed as a parameter, so that tests are deterministic. */
export type Random = (count: number) => Buffer

/** A pool of random bytes, as in `crypto.randomUUID`, because each draw is a system call. Used bytes are erased. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** Size of the pool in bytes. */
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

/** Two digits each, in order. */
const PAIRS = Array.from({ length: 62 ** 2 }, (_, i) => `${BASE62[Math.floor(i / 62)]}${BASE62[i % 62]}`)
/** The values of three pairs: a remainder and the next 16 bits are exact as a number. BigInt takes twice as long. */
const CHUNK = 62 ** 6

/** Encodes an even number of bytes as base62 of fixed length: 16 bytes give 22 characters, 32 bytes give 43. */
export function base62(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / Math.log2(62))
  const words = wordsOf(bytes)
  let text = ''
  // A chunk has more than 32 bits, so each division empties the next two words.
  for (let first = 0; text.length < length; first += 2) {
    const chunk = divide(words, CHUNK, first)
    const high = Math.floor(chunk / 62 ** 4)
    const middle = Math.floor(chunk / 62 ** 2) - high * 62 ** 2
    text = `${PAIRS[high]}${PAIRS[middle]}${PAIRS[chunk % 62 ** 2]}${text}`
  }
  return text.slice(-length)
}

function wordsOf(bytes: Uint8Array): Uint16Array {
  const words = new Uint16Array(bytes.length / 2)
  for (let at = 0; at < words.length; at++)
    words[at] = (bytes[2 * at] ?? 0) * 0x100 + (bytes[2 * at + 1] ?? 0)
  return words
}

/** Divides a number of 16-bit words, the highest first; those before `first` are 0. Returns the remainder. */
function divide(words: Uint16Array, by: number, first: number): number {
  let rest = 0
  for (let at = first; at < words.length; at++) {
    const value = rest * 0x1_0000 + (words[at] ?? 0)
    const quotient = Math.floor(value / by)
    words[at] = quotient
    // Exact, and several times as fast as `value % by`.
    rest = value - quotient * by
  }
  return rest
}

/** Generates a secret of 256 bits, 43 characters. Only its `hashSecret` is ever stored. */
export const newSecret = (from: Random = random) => base62(from(32))

/** Generates an identifier of 128 bits, 22 characters. Not a secret. */
export const newId = (from: Random = random) => base62(from(16))

/** Whether a text has the form of a `newId`. Other texts are never looked up in the database. */
export const isId = (text: string) => /^[0-9A-Za-z]{22}$/.test(text)

/** The stored form of a secret: SHA-256, base64url. Needs no salt, because secrets have 256 random bits. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')

/**
 * HMAC-SHA-256, for MACs and for deriving keys. Returns text, because a digest as a buffer has its own memory
 * outside the heap, which takes longer than hashing.
 */
export const mac = (key: Uint8Array, message: string) =>
  Buffer.from(createHmac('sha256', key).update(message).digest('binary'), 'binary')

/** Derives a key for one purpose from the service's own key. */
export type KeyFor = (purpose: string) => Buffer
