import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../platform/common/package.js'

const SKIPPED =
  /(?:^|\/)(?:node_modules|dist|data|\.[a-z-]+)$|^(?:domain\/safes\/sample|test\/fixtures|bench\/quality\/vaults)$/
const filesOf = (ending: RegExp) => walk('').filter(file => ending.test(file))
const read = (file: string) => readFileSync(join(rootDir, file), 'utf8')

t.test('links between documents lead to a file and to a heading of it', async t => {
  const broken = filesOf(/\.md$/).flatMap(file =>
    [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, path = '', heading]) => {
        const target = path === '' ? file : join(dirname(file), path)
        const found = existsSync(join(rootDir, target))
        return found && (!heading || headings(target).has(heading)) ? [] : [`${file}: ${link}`]
      },
    ),
  )
  t.strictSame(broken, [])
})

t.test('every decision that a source or document names is in the index, with its page', async t => {
  const index = read('docs/decisions/README.md')
  const numbers = new Set([...index.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number)))
  const pages = filesOf(/^docs\/decisions\/\d{4}-.+\.md$/)
  t.strictSame(
    [...index.matchAll(/^\| \d+ \| \[\D.*?\]\((\d{4}-.+?\.md)\)/gm)]
      .map(([, page]) => `docs/decisions/${page}`)
      .sort(),
    pages.sort(),
    'the index lists every page',
  )
  const named = /\b(?:ADR|[Dd]ecision)\s+(\d+)\b(?!:)|docs\/decisions\/0*(\d+)/g
  const unknown = filesOf(/\.(?:ts|mjs|md|eta)$/).flatMap(file =>
    [...read(file).matchAll(named)]
      .filter(([, a, b]) => !numbers.has(Number(a ?? b)))
      .map(([name]) => `${file}: ${name}`),
  )
  t.strictSame(unknown, [])
})

t.test('a source that CONTRIBUTING or the architecture names is there', async t => {
  const paths = ['CONTRIBUTING.md', 'docs/architecture.md'].flatMap(file =>
    [...read(file).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs))`/g)].map(([, path = '']) => path),
  )
  t.ok(paths.length > 20)
  t.strictSame(
    paths.filter(
      path => !existsSync(join(rootDir, path)) && !existsSync(join(rootDir, 'routes/pages', path)),
    ),
    [],
  )
})

t.test('a benchmark that a source or a document names is one of npm run bench', async t => {
  const known = [...read('bench/run.mjs').matchAll(/^ {2}'?([\w-]+)'?: \{\s*file: /gm)]
  t.ok(known.length > 0)
  const names = new Set(known.map(([, name]) => name))
  const unknown = filesOf(/\.(?:ts|mjs|md)$/).flatMap(file =>
    [...read(file).matchAll(/npm run bench -- ([a-z][\w-]*)/g)]
      .filter(([, name = '']) => !names.has(name))
      .map(([command]) => `${file}: ${command}`),
  )
  t.strictSame(unknown, [])
})

t.test('every decision has its number, a context, a decision and consequences', async t => {
  for (const page of filesOf(/^docs\/decisions\/\d{4}-.+\.md$/)) {
    const text = read(page)
    t.match(text, new RegExp(`^# ${Number(page.slice(15, 19))}\\. \\S`), page)
    t.strictSame(text.match(/^## .+$/gm), ['## Context', '## Decision', '## Consequences'], page)
  }
})

/** The files below a folder, without installed, built or foreign ones. */
function walk(folder: string): string[] {
  return readdirSync(join(rootDir, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (SKIPPED.test(path)) return []
    return entry.isDirectory() ? walk(path) : [path]
  })
}

/** The anchors of a document's headings, as GitHub makes them. */
function headings(file: string): Set<string> {
  const titles = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  return new Set(
    titles.map(title =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/ /g, '-'),
    ),
  )
}
