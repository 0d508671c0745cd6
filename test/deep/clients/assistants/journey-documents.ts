import type { Test } from 'tap'
import type { Household } from '../../../e2e/service.js'
import { importNotes } from '../../../integration/mcp/service.js'
import type { Step } from './scripted-model.js'

const NOTES = {
  'work/Cellar.md':
    '# Cellar\n\nThe lamp oil is kept in the northern cellar.\n\n## Keys\n\nMarta has the key.\n',
  'old/Cellar 1998.md': 'The lamp oil was kept in the harbour.\n',
}

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
