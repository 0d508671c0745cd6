// Fails when a budget of the house is exceeded (see CONTRIBUTING.md), and prints the lines of each floor.
// `--all` lists every place.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const BUDGET = {
  edge: 25_960,
  domain: 29_220,
  engine: 32_180,
  platform: 6_010,
  lines: 93_360,
  longFunctions: 8,
  longFiles: 1,
  undocumented: 0,
  needlessExports: 0,
  scripts: 16,
  lowerCase: 0,
  longForTheirRoom: 0,
  bench: 4_400,
}
const MAX_FUNCTION_LINES = 60
const MAX_FILE_LINES = 400
/** Files of texts: of pages, and of the domains. */
const TEXTS = /^views\/texts\/|^domain\/.*(\/texts|-texts?)\.ts$/
/** Lines of a file where all files are alike, or only compose. */
const MAX_LINES_IN_ROOM = [
  [/./, 600],
  [TEXTS, 250],
  [/^routes\/pages\//, 120],
  [/^domain\/(safes\/safes|accounts\/accounts)\.ts$/, 200],
  [/\.sql\.ts$/, 300],
]
const OUTSIDE = /^(test|bench|docs|findings)\//
/** What the floors should come down to. The budgets above are where they are, and only ever fall. */
const AIM = { edge: 26_000, domain: 29_000, engine: 31_500, platform: 6_000, lines: 92_500 }
/** Floors with a folder of their own; every other source belongs to the edge. */
const FLOORS = ['domain', 'engine', 'platform']

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tracked = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const parsed = tracked.map(file => {
  const text = readFileSync(join(root, file), 'utf8')
  return { file, text, source: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) }
})
const ours = parsed.filter(({ file }) => !OUTSIDE.test(file))

const linesOf = text => text.split('\n').length - 1
const lineOf = (source, at) => source.getLineAndCharacterOfPosition(at).line
const isExported = node =>
  ts.canHaveModifiers(node) && node.modifiers?.some(m => m.kind === ts.SyntaxKind.ExportKeyword)
const isDefault = node => node.modifiers?.some(m => m.kind === ts.SyntaxKind.DefaultKeyword)
const isFunction = node =>
  node !== undefined && ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

/** Functions of more than 60 lines. */
function* longFunctions({ file, source }) {
  const found = []
  const visit = node => {
    if (isFunction(node)) {
      const lines = lineOf(source, node.end) - lineOf(source, node.getStart(source)) + 1
      if (lines > MAX_FUNCTION_LINES)
        found.push(`${file}:${lineOf(source, node.getStart(source)) + 1} ${lines} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  yield* found
}

/** The names that a file exports, with the statements that declare them. Default exports are found by their files. */
function* exportsOf({ source }) {
  for (const statement of source.statements) {
    if (!isExported(statement) || isDefault(statement)) continue
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        for (const one of ts.isIdentifier(name) ? [name] : name.elements.map(element => element.name))
          yield { name: one.getText(source), statement, initializer }
    else if (statement.name) yield { name: statement.name.text, statement, initializer: statement }
  }
}

const isDocumented = ({ text }, statement) =>
  (ts.getLeadingCommentRanges(text, statement.pos) ?? []).some(({ pos }) => text.startsWith('/**', pos))

function* undocumented(parsedFile) {
  for (const { name, statement, initializer } of exportsOf(parsedFile))
    if (isFunction(initializer) && !isDocumented(parsedFile, statement)) yield `${parsedFile.file} ${name}`
}

/** Names by the file that they are imported from. All names of a module that is imported as a whole count as used. */
function usedNames() {
  const used = new Map()
  const use = (from, specifier, name) => {
    if (!specifier.startsWith('.')) return
    const target = join(dirname(from), specifier).replace(/\.js$/, '.ts')
    used.set(target, (used.get(target) ?? new Set()).add(name))
  }
  for (const { file, source } of parsed) {
    const visit = node => {
      const from =
        node.moduleSpecifier?.text ?? (ts.isImportTypeNode(node) ? node.argument.literal?.text : undefined)
      const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
      if (isCall && ts.isStringLiteral(node.arguments[0])) use(file, node.arguments[0].text, '*')
      else if (from) {
        const bindings = node.importClause?.namedBindings ?? node.exportClause
        if (bindings && 'elements' in bindings)
          for (const { name, propertyName } of bindings.elements) use(file, from, (propertyName ?? name).text)
        else use(file, from, '*')
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return used
}

const used = usedNames()
function* needlessExports(parsedFile) {
  const names = used.get(parsedFile.file)
  for (const { name } of exportsOf(parsedFile))
    if (!names?.has(name) && !names?.has('*')) yield `${parsedFile.file} ${name}`
}

const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/
/** Catalogues of sentences, which only happen to have no functions. */
const isCatalogue = file => TEXTS.test(file) || file.endsWith('/errors.ts')

/** Whether an expression is a number, a text, a regular expression or a table of them, known before anything runs. */
function isConstant(node) {
  if (node.expression && (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)))
    return isConstant(node.expression)
  if (ts.isPrefixUnaryExpression(node)) return isConstant(node.operand)
  if (ts.isBinaryExpression(node)) return isConstant(node.left) && isConstant(node.right)
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0
  if (ts.isObjectLiteralExpression(node))
    return (
      node.properties.length > 0 &&
      node.properties.every(one => isConstant(one.initializer ?? one.name ?? one))
    )
  if (ts.isNewExpression(node))
    return ['Set', 'Map', 'RegExp'].includes(node.expression.text) && node.arguments.length > 0
  if (ts.isIdentifier(node)) return UPPER_CASE.test(node.text)
  return ts.isLiteralExpression(node) || ts.isTemplateExpression(node)
}

/** Constants of files and lists of them that are not in upper case. Functions, schemas and instances are not meant. */
function* lowerCase({ file, source }) {
  if (isCatalogue(file)) return
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const))
      continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isObjectBindingPattern(name) || !initializer || !isConstant(initializer)) continue
      const names = ts.isIdentifier(name) ? [name] : name.elements.map(element => element.name)
      for (const { text } of names) if (!UPPER_CASE.test(text)) yield `${file} ${text}`
    }
  }
}

const places = read => ours.flatMap(file => [...read(file)])
const longFiles = ours.filter(({ text }) => linesOf(text) > MAX_FILE_LINES)
const longForTheirRoom = MAX_LINES_IN_ROOM.flatMap(([room, most]) =>
  ours
    .filter(({ file, text }) => room.test(file) && linesOf(text) > most)
    .map(({ file, text }) => `${file} ${linesOf(text)} lines, budget ${most}`),
)
const floorOf = file => FLOORS.find(floor => file.startsWith(`${floor}/`)) ?? 'edge'
const sumOf = files => files.reduce((sum, { text }) => sum + linesOf(text), 0)
const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
const found = {
  ...Object.fromEntries(
    ['edge', ...FLOORS].map(floor => [
      floor,
      { title: `lines of ${floor}`, count: sumOf(ours.filter(({ file }) => floorOf(file) === floor)) },
    ]),
  ),
  lines: { title: 'lines of all floors', count: sumOf(ours) },
  longFunctions: { title: `functions above ${MAX_FUNCTION_LINES} lines`, places: places(longFunctions) },
  longFiles: {
    title: `files above ${MAX_FILE_LINES} lines`,
    places: longFiles.map(({ file, text }) => `${file} ${linesOf(text)} lines`),
  },
  undocumented: { title: 'exported functions without a doc comment', places: places(undocumented) },
  needlessExports: { title: 'names that are exported and imported nowhere', places: places(needlessExports) },
  scripts: { title: 'npm scripts', count: scripts.length },
  longForTheirRoom: {
    title: 'files above 600, pages above 120, compositions above 200, texts above 250, SQL above 300 lines',
    places: longForTheirRoom,
  },
  bench: {
    title: 'lines of TypeScript of the bench',
    count: sumOf(parsed.filter(({ file }) => file.startsWith('bench/'))),
  },
  lowerCase: { title: 'constants that are not in upper case', places: places(lowerCase) },
}

const isAll = process.argv.includes('--all')
for (const [name, { title, places = [], count = places.length }] of Object.entries(found)) {
  const isOver = count > BUDGET[name]
  if (isOver || isAll || title.startsWith('lines of '))
    console.log(
      `${title}: ${count} (budget ${BUDGET[name]}${name in AIM ? `, aim ${AIM[name]}` : ''})${isOver && !isAll && places.length > 0 ? ', listed by node scripts/house.mjs --all' : ''}`,
    )
  if (isAll) for (const place of places) console.log(`  ${place}`)
  if (isOver) process.exitCode = 1
}
