const lower = 1
const upper = 2
const digit = 3
/** What stands between the values of JSON: one token each in both encodings. */
const separators = /"\},\{"|":\{"|","|":"|":\[|,"|":|\{"|"\}|"\]/y

/**
 * Tokens that a language model needs for the text, at most. Byte-pair encodings (o200k, cl100k) cut words into pieces
 * of about four letters or three digits; this counts one for every four or three begun, more where case or digits change, one for
 * each sign, and for other scripts what their characters cost when the encoding does not know them.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let run = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = kindOf(code)
    if (kind === 0) {
      tokens += costOf(code)
      run = 0
      at += separatorAt(text, at) - 1
    } else {
      // "Ada" is one word; "aB" and "a1" are pieces of something that no dictionary of tokens has.
      if (run > 0 && kind !== before && !(before === upper && kind === lower && run === 1)) {
        tokens += 0.75
        run = 0
      }
      if (run % (kind === lower ? 4 : 3) === 0) tokens++
      run++
    }
    before = kind
  }
  return Math.ceil(tokens)
}

/** Characters of the separator that begins here; 1 if none does. */
function separatorAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 0x22 && code !== 0x2c && code !== 0x7b) return 1
  separators.lastIndex = at
  return separators.exec(text)?.[0].length ?? 1
}

function kindOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return lower
  if (code >= 0x41 && code <= 0x5a) return upper
  return code >= 0x30 && code <= 0x39 ? digit : 0
}

/** Of a UTF-16 unit that is no ASCII letter or digit. */
function costOf(code: number): number {
  if (code === 0x20) return 0.15
  if (code < 0x80) return 1
  if (code < 0x800) return 1.5
  const isCommon = (code >= 0x900 && code < 0x1000) || (code >= 0x3040 && code < 0xe000)
  return isCommon ? 2 : 3
}
