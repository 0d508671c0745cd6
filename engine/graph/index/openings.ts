import { hashOf, ownHashKey } from '../collections/hash.js'

/**
 * A Bloom filter (1970) of the pairs of words that can begin a name, which rejects nearly all other pairs
 * without a look-up. 16 to 32 bits per name.
 */
export function emptyOpenings(names: number): Buffer {
  return Buffer.alloc(2 ** Math.ceil(Math.log2(2 * names + 1024)))
}

/** Words are given as `hashOf` their folded form, all with one key. */
function addOpening(bits: Uint8Array, first: number, second: number): void {
  const pair = pairOf(first, second)
  const place = (pair >>> 3) & (bits.length - 1)
  bits[place] = (bits[place] ?? 0) | (1 << (pair & 7))
}

/** False if no name begins with these two words. */
export function canOpen(bits: Uint8Array, first: number, second: number): boolean {
  const pair = pairOf(first, second)
  return (((bits[(pair >>> 3) & (bits.length - 1)] ?? 0) >>> (pair & 7)) & 1) === 1
}

/** Adds the first two words of a phrase of folded words. */
export function addPhrase(bits: Uint8Array, phrase: string, key = ownHashKey): void {
  const [first, second] = phrase.split(' ', 2)
  if (first !== undefined && second !== undefined) addOpening(bits, hashOf(first, key), hashOf(second, key))
}

function pairOf(first: number, second: number): number {
  const hash = Math.imul(first ^ (second >>> 15), 0x2c1b3c6d) + Math.imul(second, 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}
