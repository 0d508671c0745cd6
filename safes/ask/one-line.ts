// Control characters, line and paragraph separators, bidi marks.
const disruptive = /[\p{Cc}\s\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** What most names have nothing of: anything but ASCII, blanks at the ends, two of them in a row. */
const unusual = /[^\x20-\x7e]|^ | $| {2}/

/** A name that cannot break out of its line in the text form of an answer, or turn the line around (RULES S3). */
export function oneLine(name: string): string {
  if (!unusual.test(name)) return name
  return name.replace(disruptive, ' ').trim()
}

/** A name in quotes that it cannot close. */
export const quoted = (name: string): string => JSON.stringify(oneLine(name))

// As `disruptive`, but for blanks and tabs, and the line breaks that end a line. Unicode's other blanks become plain ones.
const lineBreaks = /[\r\n\u2028\u2029]+/
const ordinaryLine = /^[\t\x20-\x7e]*$/
const disruptiveInLine = /(?:(?![ \t])[\p{Cc}\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])+/gu

/**
 * A text of several lines, of which only the first can be taken for a line of ours. Blanks stay as they are: code, YAML
 * and nested lists mean something by them.
 */
export function indented(text: string): string {
  return text
    .split(lineBreaks)
    .map(line => (ordinaryLine.test(line) ? line : line.replace(disruptiveInLine, ' ')).trimEnd())
    .filter(Boolean)
    .join('\n  ')
    .trimStart()
}
