import { isInvisible } from '../../../platform/common/html-attributes.js'
import { words } from '../../../platform/common/words.js'
import type { Shift } from '../shared/raised-text.js'

/** Elements whose content is not part of the page's text. */
const ASIDE =
  words(`audio button canvas datalist en-crypt iframe nav noscript object rp rt rtc script select style
  svg template textarea video`)
/** Class names that page generators use for line numbers. */
const LINE_NUMBERS = /(?:^|[\s-])(?:gutter|linenos?|blob-num)(?:\s|$)/

type Attributes = Readonly<Record<string, string>>

/** Whether the content of an element is not part of the page's text. */
export const isHidden = (name: string, attributes: Attributes): boolean =>
  ASIDE.has(name) || isInvisible(name, attributes) || LINE_NUMBERS.test(attributes.class ?? '')

/** Whether a link refers to a note. */
export const isReference = ({ role = '', class: kind = '', 'epub:type': type = '' }: Attributes): boolean =>
  /noteref/.test(`${role} ${type}`) || /(?:^|\s)(?:footnote-ref|noteref|fnref|footnote)(?:\s|$)/.test(kind)

/** Elements, styles and classes of superscript and subscript. */
const SHIFTS = [
  ['raised', 'sup', /vertical-align\s{0,3}:\s{0,3}super/i, /(?:^|\s)(?:sup|super|superscript)(?:\s|$)/],
  ['lowered', 'sub', /vertical-align\s{0,3}:\s{0,3}sub/i, /(?:^|\s)(?:sub|subscript)(?:\s|$)/],
] as const

/** Whether the text of an element is superscript or subscript. */
export const shiftOf = (name: string, { style = '', class: names = '' }: Attributes): Shift | null =>
  SHIFTS.find(([, tag, css, known]) => name === tag || css.test(style) || known.test(names))?.[0] ?? null
