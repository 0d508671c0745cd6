import { countWords } from './marked-words.js'

/** Characters of a passage that are looked through, of a sentence that is shown, and of one that says something. */
const READ = 6_000
const LONGEST = 360
const SHORTEST = 20
const FEWEST_WORDS = 4

const BLOCK_ENDS = /<\/(?:p|li|td|th|dd|dt|h\d|pre|blockquote|summary)>|<br\s*\/?>/gi
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

// Created on first use, because loading its data takes time.
let sentences: Intl.Segmenter | undefined

/**
 * The sentence of a rendered passage that has the most words of a question, the first of several. Null if none has any.
 */
export function bestSentence(html: string, stems: ReadonlySet<string>): string | null {
  let [best, most] = [null as string | null, 0]
  for (const sentence of sentencesOf(html)) {
    if (sentence.length < SHORTEST || sentence.split(' ').length < FEWEST_WORDS) continue
    const count = countWords(sentence, stems)
    if (count > most) [best, most] = [sentence, count]
  }
  if (best === null || best.length <= LONGEST) return best
  const cut = best.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST * 0.8))}…`
}

function* sentencesOf(html: string): Generator<string> {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  const shown = withoutHeadings(html.slice(0, READ * 2))
  let introduction = ''
  for (const block of shown.replace(BLOCK_ENDS, '\u0000').split('\u0000')) {
    const text = block
      .replace(/<[^>]*>?/g, '')
      .replace(/&(?:lt|gt|quot|#39|amp);/g, entity => ENTITIES[entity] ?? entity)
      // Addresses are no sentences, whatever words they have.
      .replace(/\bhttps?:\/\/\S+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    if (text === '') continue
    // "To embed a file:" says nothing without what follows.
    if (introduction !== '') yield `${introduction} ${text}`
    introduction = ''
    for (const { segment } of sentences.segment(text.slice(0, READ))) {
      if (segment.endsWith(':')) introduction = segment
      else yield segment.trim()
    }
  }
  yield introduction
}

/** Headings say what follows is about, not what is so. */
function withoutHeadings(html: string): string {
  const [before = '', ...rest] = html.split('<p class="heading">')
  return before + rest.map(part => part.split('</p>').slice(1).join('</p>')).join('')
}
