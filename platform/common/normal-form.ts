// Sorting combining marks takes quadratic time (UAX #15): 100,000 of them took 18 s. Real text has at most
// three or four per letter. Halfwidth voiced sound marks are letters that decompose into marks.
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu
const HAS_MARKS = /[\p{M}\uff9e\uff9f]/u

/** Normalizes text (Unicode) in linear time. Keeps at most 8 combining marks in a row. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (HAS_MARKS.test(text) ? text.replace(TOO_MANY_MARKS, '$1') : text).normalize(form)
}
