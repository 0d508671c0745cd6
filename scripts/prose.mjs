// Prints the average length of sentences, in words, of each document and of the texts, and the size of `docs/`.
// `--long` lists the sentences above 30 words and the lines above 100 columns. Tables and code are not counted.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const MAX_AVERAGE = 16
const MAX_COLUMNS = 100
const MAX_KB = 300
const LONG_SENTENCE = 30
const DOCUMENTS = [
  'docs/*.md',
  'docs/decisions/*.md',
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
]
const TEXTS = /^views\/texts\/.*\.ts$|^cli\/.*\.ts$|^domain\/.*(?:texts?|errors)\.ts$/

const root = fileURLToPath(new URL('..', import.meta.url))
const read = file => readFileSync(join(root, file), 'utf8')
const tracked = (...patterns) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')

const withoutCode = text => text.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/<!--[\s\S]*?-->/g, '')
const isProse = line => !/^ *(?:\||#|!\[)/.test(line)

/** The paragraphs and list items of a document: no headings, tables, pictures and code. */
function paragraphsOf(markdown) {
  const lines = withoutCode(markdown).split('\n')
  const prose = lines.map(line => (isProse(line) ? line.replace(/^ *(?:[-*]|\d+\.) +/, '\n\n') : ''))
  return prose.join('\n').split(/\n\s*\n/)
}

/** Sentences; a piece of code or the text of a link counts as it is read. */
function sentencesOf(paragraph) {
  const plain = paragraph
    .replace(/`[^`]*`/g, '§code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
  return plain
    .split(/(?<=[.!?]["”)*]*) (?=["“(*]*[A-Z0-9§])|(?<=:) (?=[A-Z])/)
    .map(sentence => sentence.trim())
    .filter(sentence => wordsOf(sentence) > 2)
}
const wordsOf = sentence => sentence.split(' ').filter(word => /[\p{L}\p{N}]/u.test(word)).length

/** The literal texts of a source with at least one sentence in them. */
function textsOf(file) {
  const texts = []
  const visit = node => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    else if (ts.isTemplateExpression(node))
      texts.push(
        node
          .getText()
          .slice(1, -1)
          .replace(/\$\{[^}]*\}/g, 'code'),
      )
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))
  return texts.filter(text => /[a-z].* .*[.?!]$/.test(text))
}

const averageOf = sentences =>
  sentences.reduce((sum, sentence) => sum + wordsOf(sentence), 0) / Math.max(1, sentences.length)
const rows = tracked(...DOCUMENTS).map(file => {
  const text = read(file)
  const wide = withoutCode(text)
    .split('\n')
    .filter(line => isProse(line) && line.length > MAX_COLUMNS)
  return {
    file,
    kb: Buffer.byteLength(text) / 1000,
    sentences: paragraphsOf(text).flatMap(sentencesOf),
    wide,
  }
})
const texts = tracked('*.ts')
  .filter(file => TEXTS.test(file))
  .flatMap(textsOf)
  .flatMap(sentencesOf)
const all = rows.flatMap(({ sentences }) => sentences)
const kb = rows.filter(row => row.file.startsWith('docs/')).reduce((sum, row) => sum + row.kb, 0)
const wide = rows.reduce((sum, row) => sum + row.wide.length, 0)

for (const row of rows)
  console.log(
    `${row.kb.toFixed(1).padStart(6)} kB ${averageOf(row.sentences).toFixed(1).padStart(5)}  ${row.file}`,
  )
if (process.argv.includes('--long'))
  for (const row of rows)
    for (const one of [...row.sentences.filter(sentence => wordsOf(sentence) > LONG_SENTENCE), ...row.wide])
      console.log(`${row.file}: ${one}`)
console.log(
  `words in a sentence: documents ${averageOf(all).toFixed(1)}, texts ${averageOf(texts).toFixed(1)} (aim ${MAX_AVERAGE})`,
)
console.log(`lines above ${MAX_COLUMNS} columns outside tables and code: ${wide}`)
console.log(`docs: ${kb.toFixed(1)} kB (aim ${MAX_KB})`)
