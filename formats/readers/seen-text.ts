/** Words that are compared together. */
const WINDOW = 4
/** Bits that remember them: a quarter of a mebibyte of words at 2 % of mistakes. */
const BITS = 1 << 23
const MOST_KEPT = 1 << 20

/**
 * Recognises text that has been seen before, however its lines are broken. It remembers the last million of words in
 * one MiB, so its memory does not grow with a mailbox.
 */
export class SeenText {
  #bits = new Uint32Array(BITS / 32)
  #kept = 0

  add(text: string): void {
    for (const hash of windowsOf(text)) {
      if (this.#kept++ > MOST_KEPT) this.#forget()
      for (const bit of bitsOf(hash)) this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }

  /** Whether nearly all of the text has been seen. */
  has(text: string): boolean {
    let [all, seen] = [0, 0]
    for (const hash of windowsOf(text)) {
      all++
      if (bitsOf(hash).every(bit => ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0)) seen++
    }
    return all > 0 && seen >= all * 0.8
  }

  #forget(): void {
    this.#bits = new Uint32Array(BITS / 32)
    this.#kept = 0
  }
}

/** Hashes of the words in each window; of all words if they are fewer. */
function* windowsOf(text: string): Generator<number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{1,40}/gu) ?? []
  for (let at = 0; at === 0 || at + WINDOW <= words.length; at++) {
    const some = words.slice(at, at + WINDOW)
    if (some.length > 0) yield hashOf(some.join(' '))
  }
}

/** FNV-1a. What is made to collide only loses quoted text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const bitsOf = (hash: number) =>
  [hash, Math.imul(hash, 0x9e3779b1), Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)].map(
    each => (each >>> 0) % BITS,
  )
