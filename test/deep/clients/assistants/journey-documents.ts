import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { zip } from '../../../zip.js'
import type { Step } from './scripted-model.js'

const NOTES = {
  'work/Cellar.md':
    '# Cellar\n\nThe lamp oil is kept in the northern cellar.\n\n## Keys\n\nMarta has the key.\n',
  'old/Cellar 1998.md': 'The lamp oil was kept in the harbour.\n',
}
const PROPOSED = { subject: 'Zwingli', predicate: 'guards', object: 'Northern cellar' }

interface Service {
  app: FastifyInstance
  owner: { id: string }
  safe: { id: string }
}

/**
 * An assistant reads a whole note, asks within a folder, and proposes, once its user has switched that on (RULES R1, R3,
 * R6). `told` asks and returns what the model was told.
 */
export async function readsAndProposes(
  t: Test,
  { app, owner, safe }: Service,
  told: (steps: Step[]) => Promise<string[]>,
): Promise<void> {
  const bytes = Readable.from([zip(Object.entries(NOTES).map(([name, content]) => ({ name, content })))])
  await app.safes.imports.add(owner.id, safe.id, { source: 'notes.zip', bytes, commit: true })
  const [note = '', part = ''] = await told([
    ['svc', { safe: safe.id, document: 'Cellar' }],
    ['svc', { safe: safe.id, query: 'Where is the lamp oil?', in: ['old/'] }],
  ])
  t.match(note, /northern cellar[\s\S]*Marta has the key/, 'it reads the whole note')
  t.match(part, /harbour/)
  t.notMatch(part, /northern cellar/, 'and asks in one folder')

  const propose: Step = ['svc_propose', { safe: safe.id, statements: [PROPOSED] }]
  const [connection] = await app.oauth.connections.listFor(owner.id, { kind: 'open' })
  await app.oauth.connections.setPowers(owner.id, connection?.id ?? '', { mayPropose: true })
  const [waits = ''] = await told([propose])
  t.match(waits, /waits for an owner/, 'it proposes without connecting again')
  const [proposal] = await app.proposals.pending(owner.id, safe.id, { limit: 1 })
  await app.proposals.accept(owner.id, safe.id, proposal?.id ?? '', [PROPOSED])
  const [answer = ''] = await told([['svc', { safe: safe.id, query: 'What does Zwingli guard?' }]])
  t.match(answer, /Northern cellar/, 'and is told what was accepted')
  await app.oauth.connections.setPowers(owner.id, connection?.id ?? '', { mayPropose: false })
}
