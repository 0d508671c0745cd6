import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A test and the rules its title begins with: "T13, T14 …" is about both. */
export interface TestTitle {
  file: string
  title: string
  rules: string[]
}

const NUMBERS = /^[A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*(?= )/
/** The text that a call of `….test` begins with. A skipped test (`t.test.skip`, `t.todo`) proves nothing, and is not one of these. */
const TEST =
  /^(?! *(?:\/\/|\*)).*?\.test\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`)/gm

/** Titles of all tests, read from their sources: the first argument of every `….test(…)`. */
export function readTitles(root: string): TestTitle[] {
  return testFiles(root, 'test').flatMap(file =>
    titlesIn(readFileSync(join(root, file), 'utf8')).map(title => ({ file, title, rules: rulesOf(title) })),
  )
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

const titlesIn = (source: string): string[] =>
  [...source.matchAll(TEST)].map(([, single, double, template]) =>
    (single ?? double ?? template?.replace(/\$\{[^}]*\}/g, '…') ?? '').replace(/\\(.)/g, '$1'),
  )
