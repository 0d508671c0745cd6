import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A test and the rules its title begins with: "T13, T14 …" is about both. */
export interface TestTitle {
  file: string
  title: string
  rules: string[]
}

const NUMBERS = /^[A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*(?= )/

/** Titles of all tests, read from their sources: the first argument of every `….test(…)`. */
export function readTitles(root: string): TestTitle[] {
  return testFiles(root, 'test').flatMap(file => {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest)
    return titlesIn(source).map(title => ({ file, title, rules: rulesOf(title) }))
  })
}

function testFiles(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  const paths = entries.flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(root, path)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
  return paths.sort()
}

const rulesOf = (title: string) => NUMBERS.exec(title)?.[0].split(', ') ?? []

function titlesIn(source: ts.SourceFile): string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && isTest(node.expression) ? titleOf(node.arguments[0]) : null
    if (title !== null) titles.push(title)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

/** A skipped test (`t.test.skip`, `t.todo`) proves nothing, and is not one of these. */
const isTest = (callee: ts.Node) => ts.isPropertyAccessExpression(callee) && callee.name.text === 'test'

function titleOf(argument: ts.Node | undefined): string | null {
  if (!argument) return null
  if (ts.isStringLiteralLike(argument)) return argument.text
  if (!ts.isTemplateExpression(argument)) return null
  return [argument.head.text, ...argument.templateSpans.map(span => span.literal.text)].join('…')
}
