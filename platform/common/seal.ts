import { createCipheriv, createDecipheriv } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { mac, type Random } from './secrets.js'

/** Encodes values as texts that only this service can read, and only for the browser they were made for. */
export interface Seal<Value extends object> {
  seal(value: Value, browser: string): string
  /** Null if it was not sealed by this service for one of these browsers. */
  open(text: string, browsers: readonly string[]): (Value & { id: string }) | null
}

const ID_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = ID_BYTES + NONCE_BYTES + TAG_BYTES
/** The query of a request is limited to 8 KiB. Sealed, with the client name, it stays below this length. */
export const MAX_SEALED_LENGTH = 12_000
const SEALED = /^[\w-]+$/
/** `state` is usually base64url text. Compression makes up for the second base64url encoding. */
const DEFLATE = { memLevel: 4, windowBits: 12 }

/** Compresses, encrypts and authenticates (AES-256-GCM); the browser is the additional authenticated data. */
export function sealWith<Value extends object>(key: Uint8Array, random: Random): Seal<Value> {
  /** Each value has its own key, because random nonces of one key would repeat after billions of values. */
  const keyOf = (id: Buffer) => mac(key, id.toString('base64url'))
  return {
    seal(value, browser) {
      const id = random(ID_BYTES)
      const nonce = random(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(id), nonce).setAAD(Buffer.from(browser))
      const sealed = Buffer.concat([
        cipher.update(deflateRawSync(JSON.stringify(value), DEFLATE)),
        cipher.final(),
      ])
      return Buffer.concat([id, nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },

    open(text, browsers) {
      if (text.length > MAX_SEALED_LENGTH || !SEALED.test(text)) return null
      const bytes = Buffer.from(text, 'base64url')
      // Reject non-canonical base64url of the same bytes.
      if (bytes.length <= HEAD_BYTES || bytes.toString('base64url') !== text) return null
      const id = bytes.subarray(0, ID_BYTES)
      const ownKey = keyOf(id)
      for (const browser of browsers) {
        const deflated = decrypt(bytes, ownKey, browser)
        if (deflated)
          return { id: id.toString('base64url'), ...JSON.parse(inflateRawSync(deflated).toString()) }
      }
      return null
    },
  }
}

function decrypt(bytes: Buffer, key: Uint8Array, browser: string): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES))
  decipher.setAAD(Buffer.from(browser)).setAuthTag(bytes.subarray(ID_BYTES + NONCE_BYTES, HEAD_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
