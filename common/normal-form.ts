// Sorting combining marks takes time with the square of their number (UAX #15): 100,000 of them took 18 s. What people
// write has three or four on a letter. Halfwidth voiced sound marks are letters that decompose into marks.
const tooManyMarks = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu
const hasMarks = /[\p{M}\uff9e\uff9f]/u

/** The text in a Unicode normalization form, in linear time: of a run of combining marks the first 8 are kept. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (hasMarks.test(text) ? text.replace(tooManyMarks, '$1') : text).normalize(form)
}
