// npm run bench -- rendering FOLDER: renders every Markdown note below a folder and compares the words with another
// implementation of CommonMark (micromark). Prints what is missing and what markup is left, and times a document of 1 MB.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { micromark } from 'micromark'
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { parseDocument } from '../../rendering/document.js'

/** Words that may be missing or added before both texts agree again. */
const APART = 300
const BUDGET = { words: 99, ms: 150 }
const [folder = '.'] = process.argv.slice(2)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.md$/i.test(name))
const options = {
  resolve: (target: string) => ({ href: `/documents/${encodeURIComponent(target)}` }),
  passages: [],
}

let words = 0
let inOrder = 0
const worst: { file: string; share: number; missing: string[] }[] = []
const markup = new Map<string, number>()
for (const file of files) {
  const text = readFileSync(join(folder, file), 'utf8')
  const { html } = parseDocument('markdown', text).render(options)
  const expected = wordsOf(reference(text))
  const { found, missing } = compare(expected, wordsOf(plain(html)))
  words += expected.length
  inOrder += found
  if (missing.length > 0) worst.push({ file, share: found / expected.length, missing: missing.slice(0, 8) })
  for (const mark of rawMarkup(html)) markup.set(mark, (markup.get(mark) ?? 0) + 1)
}
console.log(
  `${files.length} notes, ${words} words, in order: ${((100 * inOrder) / words).toFixed(2)} % (budget ${BUDGET.words} %)`,
)
for (const { file, share, missing } of worst.sort((one, other) => one.share - other.share).slice(0, 10))
  console.log(`  ${(100 * share).toFixed(1)} % ${file}: ${missing.join(' ')}`)
console.log(`markup left: ${[...markup.values()].reduce((sum, count) => sum + count, 0)}`)
for (const [mark, count] of [...markup].sort((one, other) => other[1] - one[1]).slice(0, 15))
  console.log(`  ${count} × ${mark}`)

const large = files
  .map(file => readFileSync(join(folder, file), 'utf8'))
  .join('\n\n')
  .slice(0, 1_000_000)
for (let run = 0; run < 5; run++) {
  const from = performance.now()
  const { html } = parseDocument('markdown', large).render(options)
  const ms = performance.now() - from
  console.log(
    `${large.length} characters: ${ms.toFixed(0)} ms (budget ${BUDGET.ms}), ${html.length} characters of HTML`,
  )
}

/** The text that another implementation shows. Wikilinks are unknown to it, and are replaced beforehand. */
function reference(text: string): string {
  const links = text.replace(
    /!?\[\[([^\]\n|]*)(?:\|([^\]\n]*))?\]\]/g,
    (_, target: string, label?: string) => label || target,
  )
  return plain(
    micromark(links, {
      allowDangerousHtml: true,
      extensions: [gfm(), frontmatter()],
      htmlExtensions: [gfmHtml(), frontmatterHtml()],
    }),
  )
}

function plain(html: string): string {
  let text = ''
  const parser = new Parser({
    ontext: some => (text += some),
    onopentag: () => (text += ' '),
    onclosetag: () => (text += ' '),
  })
  parser.end(html)
  return text
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** How many of the expected words come in the same order. Words between them may be more. */
function compare(expected: string[], actual: string[]): { found: number; missing: string[] } {
  const missing: string[] = []
  let at = 0
  for (let i = 0; i < expected.length; i++) {
    if (expected[i] === actual[at]) {
      at++
      continue
    }
    const step = nextAgreement(expected, i, actual, at)
    missing.push(...expected.slice(i, i + step.expected))
    i += step.expected - 1
    at += step.actual
  }
  return { found: expected.length - missing.length, missing }
}

/** The shortest way to where two words in a row agree again. */
function nextAgreement(expected: string[], i: number, actual: string[], at: number) {
  for (let apart = 1; apart < APART; apart++)
    for (let a = 0; a <= apart; a++) {
      const [e, f] = [i + a, at + apart - a]
      if (expected[e] === actual[f] && expected[e + 1] === actual[f + 1])
        return { expected: a, actual: apart - a }
    }
  return { expected: 1, actual: 1 }
}

/** Marks of Markdown that a reader should not see, outside of code. */
function rawMarkup(html: string): string[] {
  const text = plain(html.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, ' '))
  return (
    text.match(
      /\*\*\S[^*\n]{0,30}|\[\[[^\]\n]{0,30}|\]\([^)\n]{0,30}|^#{1,6} .{0,30}|```|<\/?[a-z]+>|^> \S.{0,20}|^\|.*\|$|\[![a-z]+\]/gim,
    ) ?? []
  )
}
