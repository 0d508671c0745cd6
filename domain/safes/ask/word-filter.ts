import { KNOWN_WORDS } from './known-words.js'

/** Bits per word in the Bloom filter (1970); about one in forty unknown words matches by chance. */
const PROBES = 4

const FILTER = Buffer.from(KNOWN_WORDS, 'base64')

/** Whether the letters `from` … `to` - 1 are a word that is a single token. */
export function isKnownWord(text: string, from: number, to: number): boolean {
  let hash = hashOf(text, from, to)
  const step = stepOf(hash)
  const bits = FILTER.length * 8
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = (hash >>> 0) % bits
    if ((((FILTER[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) === 0) return false
    hash = (hash + step) | 0
  }
  return true
}

/** The bits of a word in a filter of this many bytes. */
export function bitsOf(text: string, from: number, to: number, bytes: number): number[] {
  const hash = hashOf(text, from, to)
  return Array.from({ length: PROBES }, (_, probe) => ((hash + probe * stepOf(hash)) >>> 0) % (bytes * 8))
}

/** FNV-1a. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

function stepOf(hash: number): number {
  return (Math.imul(hash, 0x85ebca6b) >>> 9) | 1
}
