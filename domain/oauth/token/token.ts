import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto'
import {
  base62,
  hashSecret,
  type KeyFor,
  mac,
  newSecret,
  type Random,
} from '../../../platform/common/secrets.js'

/** A new secret: the text for its holder and the hash that is stored. */
interface Minted {
  token: string
  hash: string
}

/** A well-formed code or token from a request. It may still be invalid. */
interface ParsedToken {
  connectionId: string
  hash: string
}

/**
 * The format of codes and tokens: `svc_ac_<connection id>_<secret>`, `svc_at_…`, and `svc_rt_<connection
 * id>_<generation>_<secret>_<MAC>`. They contain the connection id, so that one look-up finds everything that
 * belongs to it. Parsing checks every part; malformed input becomes null and never part of a key.
 */
export interface TokenFormat {
  newCode(connectionId: string): Minted
  readCode(text: string): ParsedToken | null
  newAccessToken(connectionId: string): Minted
  readAccessToken(text: string): ParsedToken | null
  newRefreshToken(connectionId: string, generation: number): Minted
  /** Also null if the MAC is wrong: a token we did not issue must not end a connection (DESIGN §5.4). */
  readRefreshToken(text: string): (ParsedToken & { generation: number }) | null
}

/** Codes and tokens of this brand: made, and read without a store. Only their hashes are kept. */
export function tokenFormat(brand: string, keyFor: KeyFor, random: Random): TokenFormat {
  const id = '([0-9A-Za-z]{22})'
  const secret = '([0-9A-Za-z]{43})'
  const code = new RegExp(`^${brand}_ac_${id}_${secret}$`)
  const access = new RegExp(`^${brand}_at_${id}_${secret}$`)
  const refresh = new RegExp(`^${brand}_rt_${id}_([1-9][0-9]{0,9})_${secret}_([0-9A-Za-z]{22})$`)

  // A rotation parses one token and creates another for the same connection, so the last key is cached.
  let latest = { connectionId: '', key: keyFor('refresh:') }
  const keyOf = (connectionId: string) => {
    if (latest.connectionId !== connectionId)
      latest = { connectionId, key: keyFor(`refresh:${connectionId}`) }
    return latest.key
  }
  const macOf = (connectionId: string, generation: number, secret: string) =>
    base62(mac(keyOf(connectionId), `${generation}.${secret}`).subarray(0, 16))

  const mint = (kind: string) => (connectionId: string) => {
    const secret = newSecret(random)
    return { token: `${brand}_${kind}_${connectionId}_${secret}`, hash: hashSecret(secret) }
  }
  const read = (pattern: RegExp) => (text: string) => {
    const [, connectionId, secret] = pattern.exec(text) ?? []
    return connectionId && secret ? { connectionId, hash: hashSecret(secret) } : null
  }
  return {
    newCode: mint('ac'),
    readCode: read(code),
    newAccessToken: mint('at'),
    readAccessToken: read(access),
    newRefreshToken(connectionId, generation) {
      const secret = newSecret(random)
      const signature = macOf(connectionId, generation, secret)
      return {
        token: `${brand}_rt_${connectionId}_${generation}_${secret}_${signature}`,
        hash: hashSecret(secret),
      }
    },
    readRefreshToken(text) {
      const [, connectionId, generation, secret, signature] = refresh.exec(text) ?? []
      if (!connectionId || !secret || !signature) return null
      const expected = macOf(connectionId, Number(generation), secret)
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null
      return { connectionId, generation: Number(generation), hash: hashSecret(secret) }
    },
  }
}

/** The tokens that a refresh issued, kept in case the client did not receive the response (DESIGN §5.4). */
interface SuccessorPair {
  accessToken: string
  refreshToken: string
  /** Scope of the access token. Null: the full scope of the grant. */
  scope: string[] | null
  accessExpiresAt: number
}

/** Encrypts the pair with a key derived from the old token, of which we store only the hash. */
export function sealPair(oldToken: string, pair: SuccessorPair, random: Random): string {
  const nonce = random(12)
  const cipher = createCipheriv('aes-256-gcm', graceKey(oldToken), nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(pair)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** @throws Error if the pair was sealed for another token */
export function openPair(oldToken: string, text: string): SuccessorPair {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', graceKey(oldToken), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString())
}

const graceKey = (oldToken: string) => mac(Buffer.from(oldToken), 'grace pair')
