import type { Format, SourceFile } from '../shared/format.js'
import { joined } from '../shared/values.js'
import { readTextChat, type TextChat } from './text-chats.js'

/** A direction mark, a Latin, Arabic or Persian digit, and a space, as bytes. */
const MARK = '(?:\xe2\x80[\x8e\x8f])?'
const DIGIT = '(?:\\d|\xd9[\xa0-\xa9]|\xdb[\xb0-\xb9])'
const SPACE = '(?: |\xc2\xa0|\xe2\x80\xaf)?'

/** A WhatsApp chat, exported with or without media (`_chat.txt`, `WhatsApp Chat with Ada.txt`). */
export const whatsapp: Format = {
  id: 'whatsapp',
  title: 'WhatsApp chat',
  extensions: ['txt'],
  isRewritten: true,
  mayBeLegacy: true,
  names: /^(?:_chat|.{0,60}WhatsApp.{0,200})\.txt$/i,
  begins: new RegExp(
    `^${MARK}\\[?${DIGIT}{1,4}${MARK}[./-] ?${DIGIT}{1,2}${MARK}[./-] ?${DIGIT}{1,4}\\.?(?:,|\xd8\x8c)?(?: (?:klo|kl\\.|\xd0\xb3\\.,))? ` +
      `(?:[\x80-\xff]{6,9} ?)?${DIGIT}{1,2}(?:[:.]${DIGIT}{2}){1,2}(?:${SPACE}(?:[AaPp]\\.?${SPACE}[Mm]\\.?|[\x80-\xff]{2,9}\\.?(?:[\x80-\xff]{2}\\.)?))?(?:\\] | - )`,
  ),
  parse: (bytes, file) => readTextChat(bytes, file, chatIn(file)),
}

/** The date and time before a message, in the digits and words of a language. */
const HEAD = /^.{0,80}?(?:\] | - )/s
const [ARABIC, INDIAN] = [/[\u0660-\u0669\u06f0-\u06f9]/g, /[\u0966-\u096f\u09e6-\u09ef]/g]

/** The same in Latin digits and English words. */
const inLatin = (head: string) =>
  head
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(ARABIC, digit => String(digit.charCodeAt(0) & 15))
    .replace(INDIAN, digit => String((digit.charCodeAt(0) - 6) & 15))
    .replaceAll('\u060c', ',')
    .replace(/([ \u00a0\u202f])(?:ص|π\.μ\.)/, '$1AM')
    .replace(/([ \u00a0\u202f])(?:م|μ\.μ\.)/, '$1PM')

const START =
  /^\u200e?\[?(\d{1,4})[./-] ?(\d{1,2})[./-] ?(\d{1,4})\.?,?(?: (?:klo|kl\.|г\.,))? (?:(上午|午前|오전|凌晨|早上|中午|下午|午後|오후|晚上) ?)?(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:[ \u00a0\u202f]?([ap])\.?[ \u00a0\u202f]?m\.?)?(?:\] | - )(.*)$/isu
/** Words for the afternoon, which precede the time. */
const AFTERNOON = /中午|下午|午後|오후|晚上/
/** Placeholders for pictures and recordings that were not exported. */
const OMITTED = /^\u200e?(?:<[\p{L}\p{M} ]{3,60}>|[\p{L} ]{1,40} (?:omitted|weggelassen|omitido|omitida))$/iu

/** System messages on iPhones in any language; attachments, places and polls contain a colon. */
const NOTICE = /^\u200e[^:]*$/
/** The mark of an edited message. */
const EDITED = /\s?(?:\u200e<[^<>:]{1,60}>|<This message was edited>)$/

/** Messages used to detect the order of day and month. */
const MAX_HELD = 500

interface WrittenMessage {
  line: number
  numbers: [number, number, number]
  clock: [number, number, number]
  isHalfDay: boolean
  who: string
  text: string
}

/** The places of year, month and day in a date. */
type Order = readonly [year: 0 | 1 | 2, month: 0 | 1 | 2, day: 0 | 1 | 2]
const DAY_FIRST: Order = [2, 1, 0]
const MONTH_FIRST: Order = [2, 0, 1]
const YEAR_FIRST: Order = [0, 1, 2]

const isOmitted = ({ text }: WrittenMessage) => OMITTED.test(text.trim())
const isNotice = ({ text }: WrittenMessage) => NOTICE.test(text)

const chatIn = (file: SourceFile | undefined): TextChat<WrittenMessage> => ({
  program: 'WhatsApp',
  begin(line, text) {
    const match = START.exec(text.replace(HEAD, inLatin))
    if (!match) return undefined
    const [, one, two, three, words = '', hour, minute, second = '0', letter, rest = ''] = match
    const at = rest.indexOf(': ')
    // Messages without a sender are system messages.
    const sender = rest.slice(0, Math.max(0, at)).replace(/[\u200e\u202a\u202c]/g, '')
    const who = sender.trim()
    if (who === '' || at > 100) return null
    const half = letter ?? (words || undefined)
    const noon = half !== undefined && (/^p$/i.test(half) || AFTERNOON.test(half)) ? 12 : 0
    return {
      line,
      who,
      text: rest.slice(at + 2),
      isHalfDay: half !== undefined,
      numbers: [Number(one), Number(two), Number(three)],
      clock: [half === undefined ? Number(hour) : (Number(hour) % 12) + noon, Number(minute), Number(second)],
    }
  },
  /** From the file name, from the first notice, whose sender is the person or group, or from its participants. */
  name(messages) {
    const [, named] =
      /^WhatsApp[ -]{1,3}Chat[ -]{1,3}(?:with |mit |con |avec )?(.{1,150})\.txt$/i.exec(
        file?.path.split('/').at(-1) ?? '',
      ) ?? []
    const [first, ...others] = messages.filter(message => !isOmitted(message))
    if (named !== undefined || !first) return named ?? ''
    if (isNotice(first)) return first.who
    const people = [first, ...others].filter(message => !isNotice(message)).map(({ who }) => who)
    return [...new Set(people)].slice(0, 4).join(', ')
  },
  held: MAX_HELD,
  shown(messages) {
    const order = orderOf(messages)
    return message => {
      if (isOmitted(message) || isNotice(message)) return null
      const { who, text } = message
      const said = text.replace(EDITED, '').replaceAll('\u200e', '').trim()
      return {
        who,
        person: who,
        text: said.includes('\n') ? joined(said.split('\n')) : said,
        time: timeOf(message, order),
      }
    }
  },
})

function timeOf(
  { numbers, clock: [hour, minute, second] }: WrittenMessage,
  order: Order,
): number | undefined {
  const [year, month, day] = [numbers[order[0]], numbers[order[1]], numbers[order[2]]]
  const time = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour, minute, second)
  return month <= 12 && day <= 31 && time < 4.1e12 ? time : undefined
}

/** The order of day and month, from numbers above 12; otherwise from the format of the time. */
function orderOf(messages: readonly WrittenMessage[]): Order {
  if (messages.some(({ numbers: [one] }) => one > 31)) return YEAR_FIRST
  if (messages.some(({ numbers: [one] }) => one > 12)) return DAY_FIRST
  const isMonthFirst = messages.some(({ numbers: [, two] }) => two > 12) || messages[0]?.isHalfDay
  return isMonthFirst ? MONTH_FIRST : DAY_FIRST
}
