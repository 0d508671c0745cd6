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

type Attributes = Readonly<Record<string, string>>

/** Whether a browser does not show an element, by its attributes. */
export const isInvisible = (name: string, { hidden, style = '', open }: Attributes): boolean =>
  (hidden !== undefined && hidden !== 'until-found') ||
  INVISIBLE.test(style) ||
  (name === 'dialog' && open === undefined)

/** Whether what is in an element is not text of its page. */
export const isHidden = (name: string, attributes: Attributes): boolean =>
  ASIDE.has(name) || isInvisible(name, attributes) || LINE_NUMBERS.test(attributes.class ?? '')

/** Whether a link refers to a note. */
export const isReference = ({ role = '', class: kind = '', 'epub:type': type = '' }: Attributes): boolean =>
  /noteref/.test(`${role} ${type}`) || /(?:^|\s)(?:footnote-ref|noteref|fnref|footnote)(?:\s|$)/.test(kind)

/** Whether the text of an element is above or below its line. */
export function shiftOf(
  name: string,
  { style = '', class: kind = '' }: Attributes,
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
