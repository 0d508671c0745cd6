import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import * as forms from '../../../engine/graph/text/languages/forms.js'
import { rootDir } from '../../../platform/common/package.js'
import { words } from '../../words.js'

/** A regular expression of the service's own code. */
export interface Expression {
  /** File and line. */
  place: string
  source: string
  flags: string
}

const folders = words(`cli domain engine mcp platform plugins public routes`)

/** Sample values for names and expressions in `new RegExp(…)` that are known only at run time. */
const samples = new Map([
  ['brand', 'svc'],
  ['script', 'Latin'],
  ['list', '@graph'],
  ["Object.keys(VARIANTS).join('')", 'ßæøıςة'],
  // The pattern for one question word; the others have the same form.
  ['spaced', '(?:what|which)\\s+(?:\\S+\\s+)?(?:temperature|heat)|wie\\s?viele?'],
  // All patterns of `words.json` are in `forms`.
  ['filled(pattern)', '^a$'],
  ['source', 'https://example\\.com/[0-9A-Za-z_-]{1,128}/callback'],
])

/** Every regular expression in the code that runs: literals, `RegExp(…)`, and the patterns of JSON schemas. */
export function expressions(): Expression[] {
  const ofForms = Object.values(forms)
    .flat(2)
    .filter(value => value instanceof RegExp)
    .map(({ source, flags }) => ({ place: 'engine/graph/text/languages/words.json', source, flags }))
  return [...sourceFiles().flatMap(path => expressionsIn(path, readSource(path))), ...ofForms]
}

/** Paths of all modules, relative to the project. */
export function sourceFiles(): string[] {
  const isSource = (path: string) => /\.(?:ts|mjs|js)$/.test(path)
  const inside = folders.flatMap(folder =>
    readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' }).map(
      path => `${folder}/${path}`,
    ),
  )
  return [...readdirSync(rootDir), ...inside].filter(isSource).sort()
}

export const readSource = (path: string): string => readFileSync(join(rootDir, path), 'utf8')

/** @throws if a pattern contains parts that are unknown here */
export function expressionsIn(path: string, text: string): Expression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Expression[] = []
  const visit = (node: ts.Node): void => {
    const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    } else if (isRegExpCall(node)) {
      const [source, flags] = node.arguments ?? []
      const known = source && textOf(source, file)
      if (known === undefined) throw new Error(`${place}: which pattern this is cannot be told`)
      found.push({ place, source: known, flags: (flags && textOf(flags, file)) ?? '' })
    } else if (isSchemaPattern(node)) {
      const source = textOf(node.initializer, file)
      if (source !== undefined) found.push({ place, source, flags: 'u' })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const isRegExpCall = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp'

/** Literals are read with their own flags. */
const isSchemaPattern = (node: ts.Node): node is ts.PropertyAssignment =>
  ts.isPropertyAssignment(node) &&
  ts.isIdentifier(node.name) &&
  node.name.text === 'pattern' &&
  !ts.isRegularExpressionLiteral(node.initializer)

/** The text of a string, a template, an expression's source, or a constant of the same file. */
function textOf(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return constant(node.text, file)
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return textOf(node.expression, file)
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'))
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'String.raw')
    return filledIn(node.template, file, ({ rawText = '' }) => rawText)
  if (ts.isCallExpression(node)) return joined(node, file) ?? samples.get(node.getText(file))
  if (ts.isBinaryExpression(node)) return sum(textOf(node.left, file), textOf(node.right, file))
  if (ts.isTemplateExpression(node)) return filledIn(node, file, ({ text }) => text)
  return samples.get(node.getText(file))
}

const sum = (left?: string, right?: string) =>
  left === undefined || right === undefined ? undefined : left + right

/** The text of a template; `read` returns the text of its parts. */
function filledIn(
  template: ts.TemplateLiteral,
  file: ts.SourceFile,
  read: (part: ts.TemplateLiteralLikeNode) => string,
): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return read(template)
  let text = read(template.head)
  for (const { expression, literal } of template.templateSpans) {
    const part = textOf(expression, file)
    if (part === undefined) return undefined
    text += part + read(literal)
  }
  return text
}

/** The text of `[…].join('|')`. */
function joined({ expression, arguments: [between] }: ts.CallExpression, file: ts.SourceFile) {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'join') return undefined
  if (!ts.isArrayLiteralExpression(expression.expression)) return undefined
  const texts = expression.expression.elements.map(element => textOf(element, file))
  return between && texts.every(text => text !== undefined) ? texts.join(textOf(between, file)) : undefined
}

function constant(name: string, file: ts.SourceFile): string | undefined {
  let text: string | undefined
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText(file) === name && node.initializer) {
      text ??= textOf(node.initializer, file)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return text ?? samples.get(name) ?? imported(name, file)
}

/** The same for a constant imported from another of our files. */
function imported(name: string, file: ts.SourceFile): string | undefined {
  const from = file.statements.filter(ts.isImportDeclaration).find(({ importClause }) => {
    const bindings = importClause?.namedBindings
    return bindings && ts.isNamedImports(bindings) && bindings.elements.some(each => each.name.text === name)
  })?.moduleSpecifier
  if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return undefined
  const path = join(dirname(file.fileName), from.text).replace(/\.js$/, '.ts')
  return constant(name, ts.createSourceFile(path, readSource(path), ts.ScriptTarget.Latest, true))
}
