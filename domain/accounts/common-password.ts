import { createHash } from 'node:crypto'

/** First four bytes of the SHA-256 of each common password, sorted. 50 kB, loaded when the first password is chosen. */
let hashes: Promise<DataView> | null = null

/**
 * Whether attackers try this password first: one of the commonest in published leaks. `folded` is in NFKC and in
 * lower case. One in 350,000 other passwords also counts as common, because hashes are cut.
 */
export async function isCommonPassword(folded: string): Promise<boolean> {
  hashes ??= loadHashes()
  return includes(await hashes, createHash('sha256').update(folded).digest().readUInt32BE())
}

async function loadHashes(): Promise<DataView> {
  const { COMMON_PASSWORD_HASHES } = await import('./common-password-hashes.js')
  const bytes = Uint8Array.from(Buffer.from(COMMON_PASSWORD_HASHES, 'base64'))
  return new DataView(bytes.buffer)
}

/** Binary search. */
function includes(sorted: DataView, hash: number): boolean {
  let [low, high] = [0, sorted.byteLength / 4]
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = sorted.getUint32(middle * 4)
    if (found === hash) return true
    if (found < hash) low = middle + 1
    else high = middle
  }
  return false
}
