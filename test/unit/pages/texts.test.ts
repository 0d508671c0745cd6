import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { TEXTS } from '../../../plugins/views.js'

const read = (folder: string, ending: string) =>
  readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith(ending))
    .map(file => ({ file: `${folder}/${file}`, text: readFileSync(join(rootDir, folder, file), 'utf8') }))

const templates = read('views', '.eta')

/** The texts that a template names, each as its path from `it.m`, with other names resolved. */
function namedTexts(template: string): string[] {
  const named = [...template.matchAll(/\bit\.m((?:\.\w+)+)/g)].map(([, path = '']) => path.slice(1))
  const names = [...template.matchAll(/const (\w+) = it\.m\.([\w.]+) %>/g)]
  return [
    ...named,
    ...names.flatMap(([, name, path]) =>
      [...template.matchAll(new RegExp(`(?<![.\\w/])${name}\\.(\\w+)`, 'g'))].map(
        ([, key]) => `${path}.${key}`,
      ),
    ),
  ]
}

const textAt = (path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((texts, key) => (texts as Record<string, unknown> | undefined)?.[key], TEXTS)

/** Parts receive the texts of their page as `m`. */
const GIVEN = /^(line|problem)$/

t.test('every text that a template names exists', async t => {
  const missing = templates.flatMap(({ file, text }) =>
    namedTexts(text)
      .filter(path => !GIVEN.test(path) && textAt(path.replace(/\.replace$/, '')) === undefined)
      .map(path => `${file} ${path}`),
  )
  t.strictSame(missing, [])
})

t.test('every page that a route sends has a template', async t => {
  const names = ['routes', 'plugins'].flatMap(folder =>
    read(folder, '.ts').flatMap(({ text }) =>
      [...text.matchAll(/\.page(?:<[^(]*>)?\('([\w-]+)'/g)].map(([, name]) => `views/${name}.eta`),
    ),
  )
  t.ok(names.length > 50)
  const files = templates.map(({ file }) => file)
  t.strictSame(
    names.filter(name => !files.includes(name)),
    [],
  )
})

t.test('every text of a page is used', async t => {
  const sources = [
    ...templates,
    { text: readFileSync(join(rootDir, 'public', 'uploads.js'), 'utf8') },
    ...['cli', 'mcp', 'plugins', 'routes', 'domain', 'platform'].flatMap(folder => read(folder, '.ts')),
  ]
  const words = new Set(sources.flatMap(({ text }) => text.match(/[\w:-]*\w/g) ?? []))
  const unused = (texts: object, at: string): string[] =>
    Object.entries(texts).flatMap(([key, text]) => [
      ...(words.has(key) || /^\d+$/.test(key) ? [] : [`${at}.${key}`]),
      ...(typeof text === 'object' && !Array.isArray(text) ? unused(text, `${at}.${key}`) : []),
    ])
  t.strictSame(unused(TEXTS, 'it.m'), [])
})
