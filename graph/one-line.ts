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

/** A text of several lines, of which only the first can be taken for a line of ours. */
export function indented(text: string): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map(oneLine)
    .filter(Boolean)
    .join('\n  ')
}
