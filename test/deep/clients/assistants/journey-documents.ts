import type { Test } from 'tap'
import type { Household } from '../../../e2e/service.js'
import { importNotes } from '../../../integration/mcp/service.js'
import type { Step } from './scripted-model.js'

const NOTES = {
  'work/Cellar.md':
    '# Cellar\n\nThe lamp oil is kept in the northern cellar.\n\n## Keys\n\nMarta has the key.\n',
  'old/Cellar 1998.md': 'The lamp oil was kept in the harbour.\n',
}

/** 143 kB, more than any assistant takes at once. */
const EVENINGS = 2_500
const LOG = Array.from(
  { length: EVENINGS },
  (_, at) => `Evening ${at}: the keeper counted the ships and lit the lamp.\n\n`,
).join('')
const MAX_PAGES = 40

/** Asks, and returns what the model read. */
export type ResultsOf = (steps: Step[]) => Promise<string[]>

/** An assistant reads a whole note, and asks within a folder (RULES R1, R3). */
export async function readsDocuments(
  t: Test,
  { app, owner, safe }: Household,
  resultsOf: ResultsOf,
): Promise<void> {
  await importNotes(app, owner.id, safe.id, NOTES)
  const [note = '', part = ''] = await resultsOf([
    ['svc', { safe: safe.id, document: 'Cellar' }],
    ['svc', { safe: safe.id, query: 'Where is the lamp oil?', in: ['old/'] }],
  ])
  t.match(note, /northern cellar[\s\S]*Marta has the key/, 'it reads the whole note')
  t.match(part, /harbour/)
  t.notMatch(part, /northern cellar/, 'and asks in one folder')
}

/** It reads a long note to its end with the cursors of each page: no line is missing or repeated (RULES R1, R8). */
export async function readsLongNote(
  t: Test,
  { app, owner, safe }: Household,
  resultsOf: ResultsOf,
  tokens: { max_tokens?: number },
): Promise<void> {
  t.ok(LOG.length >= 143_000)
  await importNotes(app, owner.id, safe.id, { 'work/Log.md': LOG })
  const request = { safe: safe.id, document: 'work/Log.md', ...tokens }
  const next: Step[1] = results => {
    const [, cursor] = /(?:next_cursor\\?":\s?|and cursor )\\?"([^"\\]+)/.exec(results.at(-1) ?? '') ?? []
    return cursor === undefined ? null : { ...request, cursor }
  }
  const pages = await resultsOf([['svc', request], ...Array(MAX_PAGES).fill(['svc', next])])
  t.ok(pages.length > 3 && pages.length < MAX_PAGES, `${pages.length} pages`)
  const evenings = Array.from(pages.join('\n').matchAll(/Evening (\d+):/g), ([, at]) => Number(at))
  t.same(evenings, [...Array(EVENINGS).keys()], 'each evening once, in their order')
}
