/** Words of the longest name searched for in texts (GRAPH §2). */
export const MAX_MENTION_LENGTH = 8
/** Letters of the shortest single word that counts as a name; `properties` count that far. */
export const MIN_NAME_LENGTH = 4

/** A passage as words, in arrays that the next passage uses again. */
export class PassageWords {
  length = 0
  /** Folded forms in the lexicon. */
  folded = new Uint32Array(1024)
  /** As in `Vocabulary`. */
  properties = new Uint8Array(1024)
  /** Stems in the text index; -1 for a stop word. */
  terms = new Int32Array(1024)
  /** Whether only white space or a hyphen separates it from the previous word. */
  joined = new Uint8Array(1024)

  /** Empties it and makes room for this many words. */
  reserve(words: number): void {
    this.length = 0
    if (words <= this.folded.length) return
    this.folded = new Uint32Array(2 * words)
    this.properties = new Uint8Array(2 * words)
    this.terms = new Int32Array(2 * words)
    this.joined = new Uint8Array(2 * words)
  }
}
