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
    `The ${count} protocol rules of this service and the tests that prove them. Test titles begin with the`,
    'number of their rule. The last column has the files by folder; a folder without `unit`, `deep` or `e2e`',
    'in front is in `test/integration/`. `npm run docs -- conformance` makes this page, and',
    '`npm run check` fails when a rule has no test or the page is out of date.',
    ...SECTIONS.flatMap(({ letter, title, rules }) => [
      '',
      `## ${letter}. ${title}`,
      '',
      '| Rule | Promise | Source | Tests |',
      '| --- | --- | --- | --- |',
      ...rules.map(
        ({ id, promise, source }) => `| ${id} | ${promise} | ${source} | ${testsOf(id, titles)} |`,
      ),
    ]),
    '',
  ].join('\n')
}

/** The files of a rule's tests, by folder: `oauth: authorize, consent; unit/oauth: rules`. */
function testsOf(rule: string, titles: readonly TestTitle[]): string {
  const folders = new Map<string, Set<string>>()
  for (const { file, rules } of titles) {
    if (!rules.includes(rule)) continue
    const path = file.replace(/^test\/(?:integration\/)?|\.test\.ts$/g, '')
    const folder = path.slice(0, path.lastIndexOf('/'))
    folders.set(folder, (folders.get(folder) ?? new Set()).add(path.slice(folder.length + 1)))
  }
  return [...folders].map(([folder, files]) => `${folder}: ${[...files].join(', ')}`).join('; ')
}
