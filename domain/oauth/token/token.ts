import { hash, timingSafeEqual } from 'node:crypto'
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
export type TokenFormat = ReturnType<typeof tokenFormat>

/** Codes and tokens of this brand: created, and parsed without a store. Only their hashes are stored. */
export function tokenFormat(brand: string, keyFor: KeyFor, random: Random) {
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

  const mint =
    (kind: string) =>
    (connectionId: string, from = random) => {
      const secret = newSecret(from)
      return { token: `${brand}_${kind}_${connectionId}_${secret}`, hash: hashSecret(secret) }
    }
  const read = (pattern: RegExp) => (text: string) => {
    const [, connectionId, secret] = pattern.exec(text) ?? []
    return connectionId && secret ? { connectionId, hash: hashSecret(secret) } : null
  }
  return {
    newCode: mint('ac'),
    readCode: read(code),
    /** `from`: default, the randomness of the format. */
    newAccessToken: mint('at'),
    readAccessToken: read(access),
    newRefreshToken(connectionId: string, generation: number, from: Random = random): Minted {
      const secret = newSecret(from)
      const signature = macOf(connectionId, generation, secret)
      return {
        token: `${brand}_rt_${connectionId}_${generation}_${secret}_${signature}`,
        hash: hashSecret(secret),
      }
    },
    /** Also null if the MAC is wrong: a token we did not issue must not end a connection (DESIGN §5.4). */
    readRefreshToken(text: string): (ParsedToken & { generation: number }) | null {
      const [, connectionId, generation, secret, signature] = refresh.exec(text) ?? []
      if (!connectionId || !secret || !signature) return null
      const expected = macOf(connectionId, Number(generation), secret)
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null
      return { connectionId, generation: Number(generation), hash: hashSecret(secret) }
    },
  }
}

/** A code or refresh token, and the generation of the refresh token that replaces it. */
export interface Replaced {
  old: string
  connectionId: string
  generation: number
}

/** The tokens that replace a code or refresh token: the same ones for the same seed, which is stored (decision 2). */
export function pairFor(format: TokenFormat, { old, connectionId, generation }: Replaced, seed: string) {
  // `old` contains a secret of 256 bits, and a seed has a fixed length. An HMAC takes four times as long.
  const bytes = Buffer.from(hash('sha512', `${old} ${seed}`, 'binary'), 'binary')
  return {
    access: format.newAccessToken(connectionId, () => bytes.subarray(0, 32)),
    refresh: format.newRefreshToken(connectionId, generation, () => bytes.subarray(32)),
  }
}
