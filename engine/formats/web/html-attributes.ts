/** Elements whose content is not text of the page. */
const ASIDE = new Set(
  'audio button canvas datalist en-crypt iframe nav noscript object rp rt rtc script select style svg template textarea video'.split(
    ' ',
  ),
)
const INVISIBLE =
  /(?:^|[;\s])(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|mso-hide\s{0,3}:\s{0,3}all|(?:opacity|font-size|max-height)\s{0,3}:\s{0,3}0(?:px|pt|em|%)?\s{0,3}(?:;|!|$))/i
/** How generators of pages call the numbers of lines. */
const LINE_NUMBERS = /(?:^|[\s-])(?:gutter|linenos?|blob-num)(?:\s|$)/

/** Whether nobody who opens the page reads what is in an element. */
export function isHidden(
  name: string,
  { hidden, style = '', open, class: kind = '' }: Record<string, string>,
): boolean {
  if (ASIDE.has(name) || (name === 'dialog' && open === undefined)) return true
  return (
    (hidden !== undefined && hidden !== 'until-found') || INVISIBLE.test(style) || LINE_NUMBERS.test(kind)
  )
}

/** Whether a link refers to a note. */
export const isReference = ({
  role = '',
  class: kind = '',
  'epub:type': type = '',
}: Record<string, string>): boolean =>
  /noteref/.test(`${role} ${type}`) || /(?:^|\s)(?:footnote-ref|noteref|fnref|footnote)(?:\s|$)/.test(kind)

/** Whether the text of an element is above or below its line. */
export function shiftOf(
  name: string,
  { style = '', class: kind = '' }: Record<string, string>,
): 'raised' | 'lowered' | null {
  if (
    name === 'sup' ||
    /vertical-align\s{0,3}:\s{0,3}super/i.test(style) ||
    /(?:^|\s)(?:sup|super|superscript)(?:\s|$)/.test(kind)
  )
    return 'raised'
  const isLow =
    name === 'sub' ||
    /vertical-align\s{0,3}:\s{0,3}sub/i.test(style) ||
    /(?:^|\s)(?:sub|subscript)(?:\s|$)/.test(kind)
  return isLow ? 'lowered' : null
}
