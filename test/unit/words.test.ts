import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { rootDir } from '../../platform/common/package.js'

/** Phrases that people should not have to read, each with what to write instead. */
const PHRASES: [phrase: RegExp, instead: string][] = [
  [/(?<!\bthere) is no (?!longer)/i, 'what it is'],
  [/, too\b/i, 'also, or nothing'],
  [/\bof which\b/i, 'a sentence of its own'],
  [/\b(whoever|whatever)\b/i, 'anyone who, everything that'],
  [/(?:^|[.:] )What (?:was|were|has|had|could|of)\b/, 'the noun that is meant'],
  [/ (?:stands?|lies|brings?|brought) /i, 'is, are, adds'],
  [/\b(?:log|page|file|proxy) (?:says|tells)\b/i, 'contains, sets, see the log'],
  [/ anew\b/i, 'again, new'],
  [/ mend(?:s|ed)?\b/i, 'fix'],
  [/ go(?:es)? on\b/i, 'continue, keep working'],
  [/\bin another way\b/i, 'differently, another way to'],
]
/** Files that hold what people read: texts of pages and of the domains, errors, and the command line. */
const READ = /^(?:views\/texts|cli)\/.*\.ts$|^domain\/.*(?:texts?|errors)\.ts$/

const files = ['cli', 'domain', 'views'].flatMap(folder =>
  readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' })
    .map(file => `${folder}/${file}`)
    .filter(file => READ.test(file)),
)

/** The literal texts of a file. */
function textsOf(file: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text)
    else if (ts.isTemplateExpression(node)) texts.push(node.getText().slice(1, -1))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(join(rootDir, file), 'utf8'), ts.ScriptTarget.Latest, true))
  return texts
}

/** The sentences of a document, without code, as they are read: one line for each paragraph, item and cell. */
function paragraphsOf(file: string): string[] {
  const prose = readFileSync(join(rootDir, file), 'utf8')
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .replace(/`[^`]*`/g, '`')
  return prose.split(/\n(?=\n|[#|]| *(?:[-*]|\d+\.) )/).map(text => text.replace(/\s+/g, ' ').trim())
}

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(join(rootDir, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
]

const strange = (file: string, texts: string[]) =>
  texts.flatMap(text =>
    PHRASES.filter(([phrase]) => phrase.test(text)).map(
      ([, instead]) => `${file}: “${text}” Write: ${instead}.`,
    ),
  )

t.test('what people read is without phrases that have to be read twice', async t => {
  t.ok(files.length > 80)
  t.strictSame(
    files.flatMap(file => strange(file, textsOf(file))),
    [],
  )
})

t.test('documents are without phrases that have to be read twice', async t => {
  t.ok(documents.length > 40)
  t.strictSame(
    documents.flatMap(file => strange(file, paragraphsOf(file))),
    [],
  )
})
