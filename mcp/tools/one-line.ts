// Control characters, line and paragraph separators, bidi marks.
const DISRUPTIVE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A name that cannot break out of its line in the text form of a result (RULES S3). */
export const oneLine = (name: string) => name.replace(DISRUPTIVE, ' ')
