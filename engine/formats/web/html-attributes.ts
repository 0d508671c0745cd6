import { isInvisible } from '../../../platform/common/html-attributes.js'

/** Elements whose content is not part of the page's text. */
const ASIDE = new Set(
  'audio button canvas datalist en-crypt iframe nav noscript object rp rt rtc script select style svg template textarea video'.split(
    ' ',
  ),
)
/** Class names that page generators use for line numbers. */
const LINE_NUMBERS = /(?:^|[\s-])(?:gutter|linenos?|blob-num)(?:\s|$)/

type Attributes = Readonly<Record<string, string>>

/** Whether the content of an element is not part of the page's text. */
export const isHidden = (name: string, attributes: Attributes): boolean =>
  ASIDE.has(name) || isInvisible(name, attributes) || LINE_NUMBERS.test(attributes.class ?? '')

/** Whether a link refers to a note. */
export const isReference = ({ role = '', class: kind = '', 'epub:type': type = '' }: Attributes): boolean =>
  /noteref/.test(`${role} ${type}`) || /(?:^|\s)(?:footnote-ref|noteref|fnref|footnote)(?:\s|$)/.test(kind)

/** Whether the text of an element is superscript or subscript. */
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
