/** Bytes of a copy that needs no buffer of its own. */
const SHORT = 3_072
const short = Buffer.allocUnsafeSlow(SHORT)

/** A copy of its own: a substring of a file that is kept would keep the whole file in memory. */
export function copyOf(text: string): string {
  // A character takes three bytes at most.
  if (text.length * 3 > SHORT) return Buffer.from(text).toString()
  return short.toString('utf8', 0, short.write(text))
}
