import { getRandomValues } from 'node:crypto'

/** Two random words. Without knowing them nobody can choose texts whose hashes share bits. */
export type HashKey = Uint32Array

/** A random key of 64 bits. */
export const newHashKey = (): HashKey => getRandomValues(new Uint32Array(2))

/** The key of hashes that stay within this thread. */
export const ownHashKey = newHashKey()

/**
 * HalfSipHash-1-3 (Aumasson and Bernstein, 2012, as in Linux's hash tables) over UTF-16 units: 32 bits. With
 * an unkeyed hash, a file of 100,000 chosen names takes minutes to index (docs/decisions/0029).
 */
export function hashOf(text: string, key: HashKey): number {
  const { length } = text
  const pairs = length >>> 1
  let v0 = (key[0] ?? 0) | 0
  let v1 = (key[1] ?? 0) | 0
  let v2 = 0x6c796765 ^ v0
  let v3 = 0x74656462 ^ v1
  // One round per pair of units, one for the rest and the length, three to finish.
  for (let step = 0; step < pairs + 4; step++) {
    let word = 0
    if (step < pairs) word = text.charCodeAt(step * 2) | (text.charCodeAt(step * 2 + 1) << 16)
    else if (step === pairs) word = (length << 16) | (length & 1 ? text.charCodeAt(length - 1) : 0)
    else if (step === pairs + 1) v2 ^= 0xff
    v3 ^= word
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
    v0 ^= word
  }
  return (v1 ^ v3) >>> 0
}

/**
 * A random table for each byte of three words: simple tabulation, which keeps linear probing short (Thorup
 * 2012).
 */
const TABLES = getRandomValues(new Uint32Array(12 * 256))

/** A hash of three 32-bit numbers, for tables in memory. */
export const hashOfThree = (first: number, second: number, third: number): number =>
  (tabulated(first, 0) ^ tabulated(second, 4 * 256) ^ tabulated(third, 8 * 256)) >>> 0

const tabulated = (word: number, at: number): number =>
  (TABLES[at + (word & 0xff)] ?? 0) ^
  (TABLES[at + 256 + ((word >>> 8) & 0xff)] ?? 0) ^
  (TABLES[at + 512 + ((word >>> 16) & 0xff)] ?? 0) ^
  (TABLES[at + 768 + (word >>> 24)] ?? 0)
