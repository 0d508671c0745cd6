/** Languages with month names. Those with numbered months, such as Korean, are not listed. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'da', 'nb', 'sv']
/** Patterns for a date at the beginning of a text, and the groups for year, month and day. */
const DAYS: readonly (readonly [RegExp, readonly [number, number, number]])[] = [
  [/^(\p{L}{3,12})\.? (\d{1,2}), (\d{4})/u, [3, 1, 2]],
  [/^(\d{1,2})\.? (?:de )?(\p{L}{3,12})\.? (?:de )?(\d{4})/u, [3, 2, 1]],
  [/^(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]/, [1, 2, 3]],
  [/^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/, [1, 2, 3]],
]
const CLOCK = /^(?: at)? ?(오전|오후|上午|下午|午前|午後)? ?(\d{1,2}):(\d\d)(?: ([AP]M))?/i
const AFTERNOON = /^(?:오후|下午|午後|pm)$/i

/** `27. Juli 2023 11:52` → `2023-07-27T11:52`. Text after the date stays; text without a date is returned unchanged. */
export function withIsoDate(text: string): string {
  for (const [pattern, groups] of DAYS) {
    const found = pattern.exec(text)
    if (!found) continue
    const [year = '', month = '', day = ''] = groups.map(group => found[group] ?? '')
    const iso = isoOf(year, /^\d/.test(month) ? Number(month) : monthOf(month), Number(day))
    return iso === null ? text : iso + withIsoClock(text.slice(found[0].length))
  }
  return text
}

function isoOf(year: string, month: number, day: number): string | null {
  const date = new Date(Date.UTC(Number(year), month - 1, day))
  // `Date` accepts 30 February as 1 March, and a missing month.
  return date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}

function withIsoClock(text: string): string {
  const [clock, before = '', hour = '', minute, after = ''] = CLOCK.exec(text) ?? []
  if (clock === undefined) return text
  const half = before || after
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (AFTERNOON.test(half) ? 12 : 0)
  return `T${String(hours).padStart(2, '0')}:${minute}${text.slice(clock.length)}`
}

let months: Map<string, number> | undefined

/** 1 to 12, or NaN for a word that is not a month in any language. */
function monthOf(word: string): number {
  months ??= new Map(
    LANGUAGES.flatMap(language =>
      Array.from({ length: 12 }, (_, at) => at + 1).flatMap(month =>
        (['long', 'short'] as const).map((form): [string, number] => [
          keyOf(
            new Date(Date.UTC(2000, month - 1)).toLocaleString(language, { month: form, timeZone: 'UTC' }),
          ),
          month,
        ]),
      ),
    ),
  )
  return months.get(keyOf(word)) ?? Number.NaN
}

const keyOf = (month: string) => month.toLowerCase().replace('.', '')
