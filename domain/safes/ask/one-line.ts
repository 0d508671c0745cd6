// Control characters, line and paragraph separators, bidi marks.
const DISRUPTIVE = /[\p{Cc}\s\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Matches everything except ordinary names: non-ASCII, leading or trailing blanks, double blanks. */
const UNUSUAL = /[^\x20-\x7e]|^ | $| {2}/

/** Prevents a name from breaking out of its line in the text form of an answer, or reversing it (RULES S3). */
export function oneLine(name: string): string {
  if (!UNUSUAL.test(name)) return name
  return name.replace(DISRUPTIVE, ' ').trim()
}

/** A name in quotes, with quotes inside it escaped. */
export const quoted = (name: string): string => JSON.stringify(oneLine(name))

// As `disruptive`, except for blanks, tabs and line breaks. Other Unicode spaces become plain blanks.
const LINE_BREAKS = /[\r\n\u2028\u2029]+/
const ORDINARY_LINE = /^[\t\x20-\x7e]*$/
const DISRUPTIVE_IN_LINE = /(?:(?![ \t])[\p{Cc}\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])+/gu

/**
 * Indents a text so that only its first line can be mistaken for a line of the answer. Blanks are kept
 * because they matter in code, YAML and nested lists.
 */
export function indented(text: string): string {
  return text
    .split(LINE_BREAKS)
    .map(line => (ORDINARY_LINE.test(line) ? line : line.replace(DISRUPTIVE_IN_LINE, ' ')).trimEnd())
    .filter(Boolean)
    .join('\n  ')
    .trimStart()
}
