import { createHmac, hash, randomBytes, randomFillSync } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `count` random bytes; passed in, so that tests can be exact. */
export type Random = (count: number) => Buffer

/** Drawn ahead, as `crypto.randomUUID` does, because each draw is a system call. Nothing is left of what was given out. */
const drawn = Buffer.alloc(4096)
let given = drawn.length

export const random: Random = count => {
  if (count > drawn.length) return randomBytes(count)
  if (given + count > drawn.length) {
    randomFillSync(drawn)
    given = 0
  }
  const bytes = Buffer.from(drawn.subarray(given, given + count))
  drawn.fill(0, given, given + count)
  given += count
  return bytes
}

/** Eight digits of base62 at a time are an exact number; the rest is arithmetic of big ones, which is slow. */
const DIGITS = 8
const CHUNK = BigInt(62 ** DIGITS)

/** Bytes as base62 of fixed length: 16 bytes give 22 characters, 32 bytes give 43. */
export function base62(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / Math.log2(62))
  let left = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (text.length < length) {
    let chunk = Number(left % CHUNK)
    left /= CHUNK
    for (let i = 0; i < DIGITS; i++) {
      text = BASE62[chunk % 62] + text
      chunk = Math.floor(chunk / 62)
    }
  }
  return text.slice(-length)
}

/** A secret of 256 random bits, 43 characters. Only its `hashSecret` is ever stored. */
export const newSecret = (from: Random = random) => base62(from(32))

/** An identifier of 128 random bits, 22 characters. Not a secret. */
export const newId = (from: Random = random) => base62(from(16))

/** What is stored of a secret: SHA-256, base64url. No salt is needed, because secrets are 256 random bits. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')

/** HMAC-SHA-256, for keys derived from the service's own key and for MACs. */
export const mac = (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest()

/** Derives a key for one purpose from the key the service made for itself at its first start. */
export type KeyFor = (purpose: string) => Buffer
