import { isInvisible } from '../../../platform/common/html-attributes.js'

/** Elements whose content is not text of the page. */
const ASIDE = new Set(
  'audio button canvas datalist en-crypt iframe nav noscript object rp rt rtc script select style svg template textarea video'.split(
    ' ',
  ),
)
/** How generators of pages call the numbers of lines. */
const LINE_NUMBERS = /(?:^|[\s-])(?:gutter|linenos?|blob-num)(?:\s|$)/

type Attributes = Readonly<Record<string, string>>

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
