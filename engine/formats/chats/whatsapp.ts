import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { readLines, readParts } from '../shared/lines.js'
import { ChatLog } from './conversation-records.js'

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
  parse: (bytes, file) => readParts(readLines(bytes), new WhatsAppChat(file)),
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
const LOOKED_AT = 500

interface Written {
  line: number
  numbers: [number, number, number]
  clock: [number, number, number]
  isHalfDay: boolean
  who: string
  text: string
}

type Order = 'day' | 'month' | 'year'

class WhatsAppChat {
  readonly #path: string
  readonly #log: ChatLog
  /** Messages held until the order of day and month is known. */
  #waiting: Written[] = []
  #order: Order | null = null
  #last: Written | null = null
  /** The sender of the first notice, which is the name of the person or group. */
  #named: string | null = null

  constructor(file: SourceFile | undefined) {
    this.#path = file?.path ?? ''
    this.#log = new ChatLog(file?.document, () => {
      const name = `WhatsApp: ${this.#nameOf()}`
      return { id: name, name, type: 'WhatsApp chat' }
    })
  }

  *read({ line, text }: { line: number; text: string }): Generator<Parsed> {
    const match = START.exec(text.replace(HEAD, inLatin))
    if (!match) {
      if (this.#last && text.trim() !== '') this.#last.text += `\n${text}`
      return
    }
    yield* this.#finish()
    const [, one, two, three, words = '', hour, minute, second = '0', letter, rest = ''] = match
    const at = rest.indexOf(': ')
    // Messages without a sender are system messages.
    if (at < 1 || at > 100) return
    const half = letter ?? (words || undefined)
    const noon = half !== undefined && (/^p$/i.test(half) || AFTERNOON.test(half)) ? 12 : 0
    this.#last = {
      line,
      numbers: [Number(one), Number(two), Number(three)],
      clock: [half === undefined ? Number(hour) : (Number(hour) % 12) + noon, Number(minute), Number(second)],
      isHalfDay: half !== undefined,
      who: rest
        .slice(0, at)
        .replace(/[\u200e\u202a\u202c]/g, '')
        .trim(),
      text: rest.slice(at + 2),
    }
  }

  *end(): Generator<Parsed> {
    yield* this.#finish()
    yield* this.#begin()
    yield* this.#log.end(1)
    if (this.#log.isEmpty) yield { line: 1, problem: 'This chat has no messages of WhatsApp.' }
  }

  *#finish(): Generator<Parsed> {
    const last = this.#last
    this.#last = null
    if (!last || last.who === '' || OMITTED.test(last.text.trim())) return
    if (NOTICE.test(last.text)) {
      if (!this.#order && this.#waiting.length === 0) this.#named ??= last.who
    } else if (this.#order) yield* this.#add(last, this.#order)
    else if (this.#waiting.push(last) >= LOOKED_AT) yield* this.#begin()
  }

  *#begin(): Generator<Parsed> {
    if (this.#order) return
    this.#order = orderOf(this.#waiting)
    for (const message of this.#waiting) yield* this.#add(message, this.#order)
    this.#waiting = []
  }

  /** The name of the chat: from the file name, or from its participants. */
  #nameOf(): string {
    const [, named] =
      /^WhatsApp[ -]{1,3}Chat[ -]{1,3}(?:with |mit |con |avec )?(.{1,150})\.txt$/i.exec(
        this.#path.split('/').at(-1) ?? '',
      ) ?? []
    return named ?? this.#named ?? [...new Set(this.#waiting.map(({ who }) => who))].slice(0, 4).join(', ')
  }

  *#add({ line, who, text, ...written }: Written, order: Order): Generator<Parsed> {
    const said = text.replace(EDITED, '').replaceAll('\u200e', '').trim()
    yield* this.#log.add(line, { who, person: who, text: said, time: timeOf(written, order) })
  }
}

function timeOf(
  { numbers: [one, two, three], clock: [hour, minute, second] }: Pick<Written, 'numbers' | 'clock'>,
  order: Order,
): number | undefined {
  const [year, month, day] = {
    day: [three, two, one] as const,
    month: [three, one, two] as const,
    year: [one, two, three] as const,
  }[order]
  const time = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour, minute, second)
  return month <= 12 && day <= 31 && time < 4.1e12 ? time : undefined
}

/** The order of day and month, from numbers above 12; otherwise from the format of the time. */
function orderOf(messages: readonly Written[]): Order {
  if (messages.some(({ numbers: [one] }) => one > 31)) return 'year'
  if (messages.some(({ numbers: [one] }) => one > 12)) return 'day'
  if (messages.some(({ numbers: [, two] }) => two > 12)) return 'month'
  return messages[0]?.isHalfDay ? 'month' : 'day'
}
