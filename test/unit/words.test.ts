import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { rootDir } from '../../platform/common/package.js'
import { betterWords } from '../../scripts/phrases.mjs'

/** Files that hold what people read: texts of pages and of the domains, errors, and the command line. */
const READ = /^(?:views\/texts|cli|engine|mcp)\/.*\.ts$|^domain\/.*(?:texts?|errors|import-source)\.ts$/

const files = ['cli', 'domain', 'engine', 'mcp', 'views'].flatMap(folder =>
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

/** The comments of a source, each on one line. */
function commentsOf(file: string): string[] {
  const source = readFileSync(join(rootDir, file), 'utf8')
  const comments = source.match(/\/\*\*?[ \n][\s\S]*?\*\/|(?:(?:^|\n) *\/\/ .*)+/g) ?? []
  return comments.map(comment => comment.replace(/\n *(?:\*|\/\/)?/g, ' ').trim())
}

const sources = readdirSync(rootDir, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !/^\.|^(?:node_modules|dist|coverage|reports)$/.test(entry.name))
  .flatMap(({ name }) =>
    readdirSync(join(rootDir, name), { recursive: true, encoding: 'utf8' }).map(file => `${name}/${file}`),
  )
  .filter(file => /\.(?:ts|mjs)$/.test(file) && !/(?:^|\/)(?:node_modules|fixtures|\.)/.test(file))

const strange = (file: string, texts: string[]) =>
  texts.flatMap(text => betterWords(text).map(instead => `${file}: “${text}” Write: ${instead}.`))

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

t.test('comments are without phrases that have to be read twice', async t => {
  t.ok(sources.length > 1000)
  t.strictSame(
    sources.filter(file => file !== 'scripts/phrases.mjs').flatMap(file => strange(file, commentsOf(file))),
    [],
  )
})

t.test('limits are called MAX_ or MIN_', async t => {
  const other = /\b(?:MOST|LEAST|LONGEST|SHORTEST|DEEPEST|FEWEST)_[A-Z]/
  t.strictSame(
    sources.filter(file => other.test(readFileSync(join(rootDir, file), 'utf8'))),
    [],
  )
})
