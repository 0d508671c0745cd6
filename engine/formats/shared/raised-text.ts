import { words } from '../../../platform/common/words.js'
export type Shift = 'raised' | 'lowered'

/** Maximum characters of superscript and subscript text. */
const MAX_LENGTH = 60
const RAISED = digitsFrom('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾')
const LOWERED = digitsFrom('₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎')
/** Words before a superscript that is a power: `km²`. After any other word it refers to a note. */
const UNITS = words(`mm cm dm km µm μm nm mi ft in yd ha px sec min hr kg mg lb oz mol rad sr eV Pa kPa
  hPa Hz kHz log exp sin cos tan`)
/** Endings that make a number part of a word: `1st`, `2e`. */
const ORDINAL = /^(?:[aeo]|st|nd|rd|th|er|re|[èe]me|ère|nde?|os?|as?)$/i

function digitsFrom(characters: string): ReadonlyMap<string, string> {
  const map = new Map([...'0123456789+-=()'].map((plain, at) => [plain, [...characters][at] ?? '']))
  return map.set('−', map.get('-') ?? '').set('–', map.get('-') ?? '')
}

/**
 * Superscript or subscript in plain text: `10²³`, `x^n`, `H₂O`; references to notes become `[1]`.
 * @param before the text in front of it
 * @param isReference whether it is known to refer to a note
 */
export function shiftedText(before: string, text: string, kind: Shift, isReference = false): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat === '' || flat.length > MAX_LENGTH || flat.startsWith('[')) return text
  const base = /[\p{L}\p{M}]{1,12}$/u.exec(before.slice(-12))?.[0] ?? ''
  const isMark =
    kind === 'raised' &&
    (isReference ? /^[\p{L}\p{N}*†‡§¶,–-]{1,8}$/u.test(flat) : isNoteAfter(base, before, flat))
  if (isMark) return `[${flat}]`
  if (isReference) return text
  const characters = [...flat].map(character => (kind === 'raised' ? RAISED : LOWERED).get(character))
  if (/\d/.test(flat) && !characters.includes(undefined)) return characters.join('')
  if (kind === 'raised' && /^[+−–-]$/.test(flat)) return characters.join('')
  if (/[\d+−*/^_₀-₉⁰-⁹¹²³-]/.test(flat) && /[\p{L}\d)\]]$/u.test(before))
    return `${kind === 'raised' ? '^' : '_'}(${flat})`
  const isPower =
    kind === 'raised' && /^\p{L}$/u.test(flat) && (base === '' ? /[\d)\]]$/.test(before) : base.length === 1)
  return isPower && !ORDINAL.test(flat) ? `^${flat}` : text
}

/** The text with its end from `at` on as superscript or subscript. */
export const withShift = (text: string, at: number, kind: Shift | null): string =>
  kind === null ? text : text.slice(0, at) + shiftedText(text.slice(0, at), text.slice(at), kind)

/** Reads superscript and subscript in OOXML, also in half points (`w:position`); small shifts only align a line. */
export const shiftOf = (value = ''): Shift | null =>
  value === 'superscript' || Number(value) > 3
    ? 'raised'
    : value === 'subscript' || Number(value) < -3
      ? 'lowered'
      : null

/** Whether a superscript is a reference to a note: a number after a whole word or the end of a sentence. */
function isNoteAfter(base: string, before: string, text: string): boolean {
  if (!/^\d{1,3}(?:[,–-] ?\d{1,3}){0,5}$/.test(text)) return false
  return base === ''
    ? /[.,;:!?"”’»)\]…。、]$/.test(before) && !/[\d\p{L}]\)$/u.test(before)
    : base.length > 1 && !UNITS.has(base)
}
