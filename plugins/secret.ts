import { createHash, createHmac, randomBytes } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `count` random bytes; passed in, so that tests can be exact. */
export type Random = (count: number) => Buffer

export const random: Random = randomBytes

/** Bytes as base62 of fixed length: 16 bytes give 22 characters, 32 bytes give 43. */
export function base62(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = Math.ceil((bytes.length * 8) / Math.log2(62)); i > 0; i--) {
    text = BASE62[Number(number % 62n)] + text
    number /= 62n
  }
  return text
}

/** A secret of 256 random bits, 43 characters. Only its `hashSecret` is ever stored. */
export const newSecret = (from: Random = random) => base62(from(32))

/** An identifier of 128 random bits, 22 characters. Not a secret. */
export const newId = (from: Random = random) => base62(from(16))

/** What is stored of a secret: SHA-256, base64url. No salt is needed, because secrets are 256 random bits. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** HMAC-SHA-256, for keys derived from the service's own key and for MACs. */
export const mac = (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest()
