// Sorting combining marks takes quadratic time (UAX #15): 100,000 of them took 18 s. Real text has at most
// three or four per letter. Halfwidth voiced sound marks are letters that decompose into marks.
const tooManyMarks = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu
const hasMarks = /[\p{M}\uff9e\uff9f]/u

/** Normalizes text (Unicode) in linear time. Keeps at most 8 combining marks in a row. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (hasMarks.test(text) ? text.replace(tooManyMarks, '$1') : text).normalize(form)
}
