import { basename } from 'node:path'
import { SECTIONS } from './rules.js'
import type { TestTitle } from './titles.js'

/** Rules that no test is about. */
export function untested(titles: readonly TestTitle[]): string[] {
  const tested = new Set(titles.flatMap(({ rules }) => rules))
  return SECTIONS.flatMap(({ rules }) => rules.map(({ id }) => id)).filter(id => !tested.has(id))
}

/** Numbers that tests begin with and no rule has. */
export function unknown(titles: readonly TestTitle[]): string[] {
  const known = new Set(SECTIONS.flatMap(({ rules }) => rules.map(({ id }) => id)))
  return [...new Set(titles.flatMap(({ rules }) => rules))].filter(id => !known.has(id))
}

/** `docs/conformance.md`: every rule, where it comes from, and the tests that prove it. */
export function conformanceTable(titles: readonly TestTitle[]): string {
  const count = SECTIONS.reduce((sum, { rules }) => sum + rules.length, 0)
  return [
    '# Conformance',
    '',
    `The ${count} protocol rules of this service, and up to ${MAX_FILES} files in \`test/\` that prove each. Dates are`,
    "revisions of MCP. A test's title begins with the number of its rule. `npm run docs -- conformance`",
    'makes this page. `npm run check` fails when a rule has no test or the page is out of date.',
    '',
    '| | Promise | Source | Tests |',
    '| --- | --- | --- | --- |',
    ...SECTIONS.flatMap(({ letter, title, rules }) => [
      `| **${letter}** | **${title}** |`,
      ...rules.map(
        ({ id, promise, source }) => `| ${id} | ${promise} | ${source} | ${testsOf(id, titles)} |`,
      ),
    ]),
    '',
  ].join('\n')
}

const MAX_FILES = 2

/** The names of the first files with a rule's tests, without their folders, and the number of all others. */
function testsOf(rule: string, titles: readonly TestTitle[]): string {
  const files = titles.filter(({ rules }) => rules.includes(rule)).map(({ file }) => file)
  const names = [...new Set(files.map(file => basename(file, '.test.ts')))]
  const shown = names.slice(0, MAX_FILES).join(', ')
  return names.length > MAX_FILES ? `${shown} +${names.length - MAX_FILES}` : shown
}
