/**
 * Cuts a text to a length, at the end of a word if one is nearby, never inside a surrogate pair or the link of a
 * note. A cut link would leave only its brackets.
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
  const blank = cut.lastIndexOf(' ')
  const end = blank > length * 0.8 ? blank : cut.length
  return `${cut.slice(0, linkAround(text, end)?.from || end).trimEnd()}\u2026`
}

/** Like `beginningOf`, but keeps the end. */
export function endOf(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(-length).replace(/^[\udc00-\udfff]/, '')
  const blank = cut.indexOf(' ')
  const start = text.length - cut.length + (blank < length * 0.2 ? blank + 1 : 0)
  return `\u2026${text.slice(linkAround(text, start)?.to ?? start).trimStart()}`
}

/** Characters searched on each side of a place for a link around it. */
const LINK_REACH = 300
/** `[[links]]`, and Markdown `[links](target)` and pictures. */
const LINK = /!?\[\[[^[\]\n]{1,300}\]\]|!?\[[^[\]\n]{0,300}\]\([^()\s]{0,300}\)/g

function linkAround(text: string, place: number): { from: number; to: number } | undefined {
  const first = Math.max(0, place - LINK_REACH)
  for (const { index, 0: link } of text.slice(first, place + LINK_REACH).matchAll(LINK)) {
    const [from, to] = [first + index, first + index + link.length]
    if (from < place && place < to) return { from, to }
  }
  return undefined
}

/** The share of an excerpt that is before a known place. */
const BEFORE = 0.2

/**
 * The part of a text, at most `length` characters plus two ellipses, around a known place; without one, the part with
 * the most of these stems, each counted once. Ties go to the first part, usually the beginning.
 */
export function excerptOf(text: string, length: number, stems: readonly string[], place?: number): string {
  if (text.length <= length) return text
  const best =
    place === undefined
      ? bestStart(text, length, stems)
      : wordBefore(text, Math.max(0, Math.min(place - Math.floor(BEFORE * length), text.length - length)))
  const start = linkAround(text, best)?.from ?? best
  if (start === 0) return beginningOf(text, length)
  return `\u2026${beginningOf(text.slice(start), length)}`
}

/** Maximum stems searched for, and maximum occurrences of each. */
const MAX_STEMS = 32
const MAX_PLACES = 50
/** Characters kept before the first stem and after the last one. */
const LEAD = 40

interface StemPlace {
  at: number
  stem: number
}

function bestStart(text: string, length: number, stems: readonly string[]): number {
  const places = placesOf(text, stems)
  const times = new Uint8Array(MAX_STEMS)
  let [first, next, held, most, start] = [0, 0, 0, 0, 0]
  for (const { at } of [{ at: 0 }, ...places]) {
    const from = wordBefore(text, Math.max(0, Math.min(at - LEAD, text.length - length)))
    const end = from === 0 || from + length >= text.length ? from + length : from + length - LEAD
    for (; (places[next]?.at ?? end) < end; next++) if (count(places[next]?.stem, 1) === 1) held++
    for (; first < next && (places[first]?.at ?? from) < from; first++)
      if (count(places[first]?.stem, -1) === 0) held--
    if (held > most) [most, start] = [held, from]
  }
  return start

  function count(stem = 0, change: number): number {
    times[stem] = (times[stem] ?? 0) + change
    return times[stem] ?? 0
  }
}

/** Places where a word begins with one of the stems, in order. */
function placesOf(text: string, stems: readonly string[]): StemPlace[] {
  const folded = text.toLowerCase()
  if (folded.length !== text.length) return []
  const places: StemPlace[] = []
  for (const [stem, letters] of stems.slice(0, MAX_STEMS).entries()) {
    let at = letters === '' ? -1 : folded.indexOf(letters)
    for (let left = MAX_PLACES; at >= 0 && left > 0; left--) {
      if (at === 0 || !LETTER.test(folded[at - 1] ?? '')) places.push({ at, stem })
      at = folded.indexOf(letters, at + letters.length)
    }
  }
  return places.sort((a, b) => a.at - b.at)
}

const LETTER = /[\p{L}\p{N}]/u

/** The start of the word at this place if it is near, or the place itself. */
function wordBefore(text: string, place: number): number {
  const blank = text.lastIndexOf(' ', place)
  if (place === 0 || blank >= place - LEAD) return blank + 1
  return /[\udc00-\udfff]/.test(text[place] ?? '') ? place + 1 : place
}
