import { plainText } from '../../../../engine/formats/index.js'
import { type Expected, holdsExpected } from '../../../../engine/graph/index.js'
import { beginningOf } from '../excerpt.js'
import { type Asked, wordsOf } from './asked.js'

/** Characters of a passage that are read. */
const MAX_READ = 6_000
/** Characters of a lead; a longer sentence is cut. */
const MAX_LENGTH = 240
/** Characters of a sentence that can answer without what the question asks for. */
const MIN_LENGTH = 20

/** What words count that are not in the sentence but in the title, or in the sentence before it. */
const TITLE = 0.6
const BEFORE = 0.3
/** What it is worth to have what the question asks for, such as a number, and to be first in a passage. */
const EXPECTED = 0.25
const FIRST = 0.05
/** What it costs to be an item that begins with a link, which lists what others wrote. */
const LINK = 0.3

const FENCE = /^\s*(?:`{3,}|~{3,})/
const HEADING = /^\s{0,3}(?:[-*+] )?#{1,6}\s/
const ITEM = /^\s*(?:[-*+]|\d{1,4}[.)])\s+/
const LINK_ITEM = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ x]\]\s+)?!?\[[^\]]{0,300}\]\(/
const QUOTE = /^\s*(?:>\s?)+/
/** What Markdown, or one of its dialects, can mean something else with. */
const MARKED = /[[\]*_`<>{}~=^!:|#\\]/
/** A property of a note, with which its first passage begins. */
const PROPERTY = /^\p{L}[\p{L}\p{N} _-]{0,40}: \S/u
const TABLE_ROW = /^\s*\|/
/** Addresses are not sentences, whatever words they have. */
const ADDRESS = /\bhttps?:\/\/\S+/g
/** A sentence that begins with one of these says little without the sentence before it. */
const PRONOUN =
  /^(?:it|its|this|that|these|those|they|he|she|such|es|er|sie|dies\p{L}*|das|esto|eso|ello|ils?|elles?|cela|ça|esso|questo|isto|isso|het|dit|dat|он|она|оно|они|это)(?!\p{L})/iu

/** A sentence of a passage. */
export interface Sentence {
  text: string
  /** 0 … about 1.3: the words of the question that it has, and whether it has what is asked for. */
  score: number
}

/** A sentence, an item of a list or a line of code. */
interface Unit {
  text: string
  words: readonly string[]
  kind: 'prose' | 'item' | 'link'
  /** Units of one paragraph have the same number. */
  block: number
}

/** The sentence of a passage in Markdown that answers best, with those around it that belong to it. Null if none has words of the question. */
export function bestSentence(
  { title, text }: { title: string; text: string },
  asked: Asked,
  expected: Expected | null,
): Sentence | null {
  const units = keptUnitsOf(text)
  const ofTitle = asked.in(title)
  let [best, before, most] = [-1, 0, 0]
  for (const [at, { text, words, kind }] of units.entries()) {
    const own = asked.in(text, words)
    const previous = before & ~own & ~ofTitle
    before = own
    if ((own | ofTitle) === 0) continue
    const said = asked.worth(own) + TITLE * asked.worth(ofTitle & ~own) + BEFORE * asked.worth(previous)
    const form = (at === 0 ? FIRST : 0) - (kind === 'link' ? LINK : 0)
    // Only what may become the best is looked at more closely.
    if (best >= 0 && said + form + EXPECTED <= most) continue
    const isExpected = expected !== null && holdsExpected(text, expected)
    const score = said + form + (isExpected ? EXPECTED : 0)
    if ((text.length >= MIN_LENGTH || isExpected) && (best < 0 || score > most)) [best, most] = [at, score]
  }
  return best < 0 ? null : { text: beginningOf(around(units, best), MAX_LENGTH), score: most }
}

/** A sentence with the one that it refers to, and with what follows it in its paragraph or after its colon, as far as there is room. */
function around(units: readonly Unit[], at: number): string {
  const [previous, unit] = [units[at - 1], units[at]]
  let text = unit?.text ?? ''
  if (previous && PRONOUN.test(text) && previous.text.length + text.length < MAX_LENGTH)
    text = `${previous.text} ${text}`
  for (const next of units.slice(at + 1)) {
    const belongs = next.block === unit?.block || text.endsWith(':')
    if (!belongs || text.length + next.text.length >= MAX_LENGTH) break
    text = `${text} ${next.text}`
  }
  return text
}

/** Where a sentence ends: behind its stop and what closes it. In scripts without spaces, no space follows. */
const STOP =
  /[.!?\u2026]+["'\u201d\u2019)\]]*\s+(?=["'\u201c\u2018\u201e([]?[\p{Lu}\p{Lo}\p{N}])|[\u3002\uff01\uff1f]/gu
/** A stop that ends an abbreviation or the number of an item instead. */
const NO_STOP =
  /(?<![\p{L}\p{N}])(?:\p{L}|\d{1,3}|e\.g|i\.e|z\.\s?B|d\.\s?h|etc|Dr|Mr|Mrs|Ms|St|vs|bzw|ca|Nr|Sr|Sra)\.\s+$/u

function* sentencesOf(text: string): Generator<string> {
  let from = 0
  for (const { index, 0: stop } of text.matchAll(STOP)) {
    const end = index + stop.length
    if (NO_STOP.test(text.slice(Math.max(from, end - 12), end))) continue
    yield text.slice(from, end).trimEnd()
    from = end
  }
  if (from < text.length) yield text.slice(from)
}

/** Units of the passages that answers compared last, which questions ask for again and again. */
const kept = new Map<string, Unit[]>()
const MAX_KEPT = 500

function keptUnitsOf(text: string): Unit[] {
  const known = kept.get(text)
  if (known) return known
  if (kept.size === MAX_KEPT) kept.clear()
  const units = unitsOf(text.slice(0, MAX_READ))
  kept.set(text, units)
  return units
}

/** The sentences of paragraphs, items of lists and blocks of code, as plain text. Headings and tables are left out. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  let lines: string[] = []
  let [isCode, isAtTop, block, kind] = [false, true, 0, 'prose' as Unit['kind']]
  const add = (text: string) => units.push({ text, words: wordsOf(text), kind, block })
  const end = () => {
    const found = lines.join(' ').replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim()
    lines = []
    if (found !== '') block++
    if (found !== '' && kind !== 'prose' && found.length < MAX_LENGTH) add(found)
    else for (const sentence of sentencesOf(found)) add(sentence)
    kind = 'prose'
  }
  for (const line of text.split('\n')) {
    const isFence = FENCE.test(line)
    if (isFence) isCode = !isCode
    if (isCode && !isFence) lines.push(line)
    else if (isFence || line.trim() === '' || HEADING.test(line) || TABLE_ROW.test(line)) end()
    else {
      isAtTop &&= PROPERTY.test(line)
      if (isAtTop || ITEM.test(line)) {
        end()
        kind = LINK_ITEM.test(line) ? 'link' : 'item'
      }
      const said = line.replace(ITEM, '').replace(QUOTE, '')
      lines.push(MARKED.test(said) ? plainText(said) : said)
    }
  }
  end()
  return units
}
