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
      this.#set(hash)
      this.#set(Math.imul(hash, 0x9e3779b1))
      this.#set(Math.imul(hash ^ (hash >>> 15), 0x85ebca6b))
    }
  }

  /** Whether nearly all of the text has been seen. */
  has(text: string): boolean {
    let [all, seen] = [0, 0]
    for (const hash of windowsOf(text)) {
      all++
      if (
        this.#isSet(hash) &&
        this.#isSet(Math.imul(hash, 0x9e3779b1)) &&
        this.#isSet(Math.imul(hash ^ (hash >>> 15), 0x85ebca6b))
      )
        seen++
    }
    return all > 0 && seen >= all * 0.8
  }

  #set(hash: number): void {
    const bit = (hash >>> 0) % BITS
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  #isSet(hash: number): boolean {
    const bit = (hash >>> 0) % BITS
    return ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }

  #forget(): void {
    this.#bits = new Uint32Array(BITS / 32)
    this.#kept = 0
  }
}

/** A hash of the words in each window; of all words if they are fewer. */
function* windowsOf(text: string): Generator<number> {
  const hashes: number[] = []
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{1,40}/gu)) hashes.push(hashOf(word))
  for (let at = 0; at === 0 || at + WINDOW <= hashes.length; at++) {
    let hash = 0
    for (let word = at; word < Math.min(at + WINDOW, hashes.length); word++)
      hash = Math.imul(hash ^ (hashes[word] ?? 0), 0x5bd1e995) ^ (hash >>> 13)
    if (hashes.length > 0) yield hash >>> 0
  }
}

/** FNV-1a. What is made to collide only loses quoted text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
