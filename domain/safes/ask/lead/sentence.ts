import { plainText } from '../../../../engine/formats/index.js'
import { countWords } from './words.js'

/** Characters of a passage that are read. */
const MAX_READ = 6_000
/** Characters of a sentence; a longer one is cut. */
const MAX_LENGTH = 240
/** Characters and words of a sentence that can be an answer. */
const MIN_LENGTH = 20
const MIN_WORDS = 4

const FENCE = /^\s*(?:`{3,}|~{3,})/
const HEADING = /^\s{0,3}(?:[-*+] )?#{1,6}\s/
const ITEM = /^\s*(?:[-*+]|\d{1,4}[.)])\s+/
const QUOTE = /^\s*(?:>\s?)+/
const TABLE_ROW = /^\s*\|/
/** Addresses are not sentences, whatever words they have. */
const ADDRESS = /\bhttps?:\/\/\S+/g

// Created on first use, because loading its data takes time.
let sentences: Intl.Segmenter | undefined

/** The sentence of a passage in Markdown that has the most words of a question, the first of several. Null if none has any. */
export function bestSentence(text: string, stems: ReadonlySet<string>): string | null {
  let [best, most] = [null as string | null, 0]
  for (const sentence of sentencesOf(text)) {
    if (sentence.length < MIN_LENGTH || sentence.split(' ').length < MIN_WORDS) continue
    const count = countWords(sentence, stems)
    if (count > most) [best, most] = [sentence, count]
  }
  if (best === null || best.length <= MAX_LENGTH) return best
  const cut = best.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_LENGTH * 0.8))}…`
}

function* sentencesOf(text: string): Generator<string> {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  let introduction = ''
  for (const block of blocksOf(text.slice(0, MAX_READ))) {
    // "To embed a file:" means nothing without what follows.
    if (introduction !== '') yield `${introduction} ${block}`
    introduction = ''
    for (const { segment } of sentences.segment(block)) {
      if (segment.endsWith(':')) introduction = segment
      else yield segment.trim()
    }
  }
  yield introduction
}

/** Paragraphs, items of lists and blocks of code, as plain text. Headings name what follows and are left out. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let isCode = false
  const end = () => {
    const block = lines.join(' ').replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim()
    if (block !== '') blocks.push(block)
    lines = []
  }
  for (const line of text.split('\n')) {
    const isFence = FENCE.test(line)
    const isApart = isFence || line.trim() === '' || HEADING.test(line) || TABLE_ROW.test(line)
    if (isFence) isCode = !isCode
    if (isCode && !isFence) lines.push(line)
    else if (isApart) end()
    else {
      if (ITEM.test(line)) end()
      lines.push(plainText(line.replace(ITEM, '').replace(QUOTE, '')))
    }
  }
  end()
  return blocks
}
