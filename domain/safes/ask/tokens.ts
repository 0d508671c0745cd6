import { isKnownWord } from './word-filter.js'

const LOWER = 1
const UPPER = 2
const DIGIT = 4
/** Lengths of the words in the filter of known words. */
const MIN_KNOWN_LENGTH = 4
const MAX_KNOWN_LENGTH = 14
/** Maximum letters of other words. */
const MAX_WORD_LENGTH = 11
/** Separators between JSON values: one token each in both encodings. */
const SEPARATORS = /"\},\{"|":\{"|","|":"|":\[|,"|":|\{"|"\}|"\]/y

/**
 * An upper bound for the tokens of a text in a language model. Byte-pair encodings (o200k, cl100k) know
 * common words and split others into pieces of three or four letters or three digits. This counts one for a
 * common word, otherwise one for every three letters begun, more where case or digits change, one for each
 * other character, and for other scripts the cost of characters that the encoding does not know.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(tokenCost(text))
}

/** Like `estimateTokens` but not rounded: the costs of a text's parts add up to at least the cost of the text. */
export function tokenCost(text: string): number {
  let tokens = 0
  let run = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = kindOf(code)
    if (kind === 0) {
      const end = code === 0x20 ? endOfKnownWord(text, at + 1) : 0
      tokens += end > 0 ? 1 : code === 0x20 ? spaceCost(text.charCodeAt(at + 1)) : costOf(code)
      run = 0
      at = end > 0 ? end - 1 : at + separatorAt(text, at) - 1
    } else {
      // "Aida" is one (rare) word; "aB" and "a1" are separate tokens.
      if (run > 0 && kind !== before) {
        const isCapital = before === UPPER && kind === LOWER && run === 1
        tokens += isCapital ? 0.5 : 0.75
        if (!isCapital) run = 0
      }
      tokens += letterCost(kind, run)
      run++
    }
    before = kind
  }
  return tokens
}

/** The end of the word that begins here if it forms one token with the preceding blank; otherwise 0. */
function endOfKnownWord(text: string, from: number): number {
  if ((kindOf(text.charCodeAt(from)) & (LOWER | UPPER)) === 0) return 0
  let end = from + 1
  while (kindOf(text.charCodeAt(end)) === LOWER) end++
  const length = end - from
  if (length < MIN_KNOWN_LENGTH || length > MAX_KNOWN_LENGTH) return 0
  const next = text.charCodeAt(end)
  const goesOn = next >= 0x80 || kindOf(next) === UPPER
  return !goesOn && isKnownWord(text, from, end) ? end : 0
}

/** Length of the separator that begins here; 1 if there is none. */
function separatorAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 0x22 && code !== 0x2c && code !== 0x7b) return 1
  SEPARATORS.lastIndex = at
  return SEPARATORS.exec(text)?.[0].length ?? 1
}

function kindOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return LOWER
  if (code >= 0x41 && code <= 0x5a) return UPPER
  return code >= 0x30 && code <= 0x39 ? DIGIT : 0
}

/** Cost of a letter or digit after `run` others; higher beyond the length of usual words. */
function letterCost(kind: number, run: number): number {
  if (kind !== DIGIT && run >= MAX_WORD_LENGTH) return kind === LOWER ? 0.67 : 1
  return run % 3 === 0 ? 1 : 0
}

/** A blank belongs to the next word's token if the encodings know that word. */
function spaceCost(next: number): number {
  return next < 0x80 || (next >= 0xc0 && next < 0x250) ? 0.15 : 1
}

/** Cost of a UTF-16 unit other than an ASCII letter or digit. */
function costOf(code: number): number {
  if (code < 0x80 || (code >= 0x410 && code < 0x450)) return 1
  if (code < 0x800) return 1.5
  const isCommon = (code >= 0x900 && code < 0x1000) || (code >= 0x3040 && code < 0xe000)
  return isCommon ? 2 : 3
}
