import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { hashSecret } from '../../../platform/common/secrets.js'
import { type BuildOptions, build } from '../../helper.js'
import { Browser, PASSWORD } from './browser.js'

export const jsonl = (...lines: object[]) =>
  Readable.from([Buffer.from(lines.map(l => JSON.stringify(l)).join('\n'))])
export const fact = (from: string, to: string) => ({ type: 'relation', from, relationType: 'knows', to })

/**
 * Ann's Safe with one committed and one staged import, one connection, and Bea as a reader; an invitation into it;
 * a second session of Ann.
 */
export async function fill(app: FastifyInstance, browser: Browser, name = 'Household') {
  await browser.signIn('ann@example.org')
  const ann = (await app.accounts.findByEmail('ann@example.org'))!
  const safe = await app.safes.create(ann.id, name)
  const options = { source: 'a.jsonl' }
  const done = { ...options, bytes: jsonl(fact('Ann', 'Bo')), commit: true }
  const committed = await app.safes.imports.add(ann.id, safe.id, done)
  await app.safes.singleValued.set(ann.id, safe.id, 'lives in', true)
  const waiting = { ...options, bytes: jsonl(fact('Ann', 'Cy')), commit: false }
  const staged = await app.safes.imports.add(ann.id, safe.id, waiting)
  const { connectionId } = await app.oauth.issueTokens(ann.id, { clientName: 'Claude' })
  const bea = await app.accounts.add('bea@example.org', PASSWORD, 'admin')
  await app.safes.members.share(ann.id, safe.id, bea.id, 'reader')
  await app.accounts.invitations.create(null, ann.id, { id: safe.id, role: 'reader' })
  const [invitation] = await app.accounts.invitations.list()
  const propose = async (connectionId: string, object: string) => {
    const statements = [{ subject: 'Ann', predicate: 'knows', object }]
    const proposal = { statements, note: null, source: null }
    return app.proposals.propose({ accountId: ann.id, connectionId }, safe.id, proposal)
  }
  const { id: proposalId } = await propose(connectionId, 'Di')
  const { connectionId: rejectedId } = await app.oauth.issueTokens(ann.id, { clientName: 'Spammer' })
  await app.proposals.reject(ann.id, safe.id, (await propose(rejectedId, 'Eve')).id, 'always')
  const session = hashSecret(await app.loginSessions.begin(ann.id))
  const path = `/safes/${safe.id}`
  return {
    ann,
    safe,
    path,
    committed: `${path}/imports/${committed.id}`,
    staged: `${path}/imports/${staged.id}`,
    connectionId,
    proposalId,
    rejectedId,
    beaId: bea.id,
    invitationId: invitation?.id ?? '',
    session,
  }
}

/** A service with all of this. */
export async function openFilled(t: Test, options: BuildOptions = {}) {
  const app = await build(t, options)
  const browser = new Browser(app)
  return { app, browser, ...(await fill(app, browser)) }
}

/** The same with an undone import and a removed Safe, which can be restored. */
export async function fillAll(app: FastifyInstance, browser: Browser) {
  const filled = await fill(app, browser)
  const { ann, safe, path } = filled
  const taken = { source: 'undone.jsonl', bytes: jsonl(fact('Ann', 'Di')), commit: true }
  const undone = await app.safes.imports.add(ann.id, safe.id, taken)
  await app.safes.imports.undo(ann.id, safe.id, undone.id)
  const removed = await app.safes.create(ann.id, 'Removed')
  await app.safes.removal.remove(ann.id, removed.id)
  await app.safes.notes.add(ann.id, safe.id, 'Note', 'Text.')
  const { path: old } = await app.safes.notes.add(ann.id, safe.id, 'Old', 'Before.')
  const [first] = await app.safes.versions.list(ann.id, safe.id, old)
  const version = (await app.safes.notes.find(ann.id, safe.id, old))?.version ?? ''
  await app.safes.notes.edit(ann.id, safe.id, { path: old, title: 'Old', text: 'After.', version })
  const note = `${path}/documents/Notes/Note.md`
  const { passages } = await app.safes.questions.ask(ann.id, safe.id, { query: 'Note text' })
  const passage = passages[0]?.id ?? ''
  const removedFact = { subject: 'Ann', predicate: 'knows', object: 'Nobody' }
  const brought = { source: 'removed-fact.jsonl', bytes: jsonl(fact('Ann', 'Nobody')), commit: true }
  await app.safes.imports.add(ann.id, safe.id, brought)
  await app.safes.removed.removeFact(ann.id, safe.id, removedFact)
  return {
    ...filled,
    note,
    passage,
    version: String(first?.id),
    undone: `${path}/imports/${undone.id}`,
    removed: `/safes/${removed.id}`,
  }
}

export type Filled = Awaited<ReturnType<typeof fillAll>>

/**
 * Every form of the service: its page, the address it posts to, and a person's entries. Forms that end others come
 * last.
 */
export const forms = (f: Filled): [page: string, action: string, fields: Record<string, string>][] => [
  ['/add', '/add', { title: 'Added', text: 'Text.', url: '' }],
  [`/connections/${f.connectionId}`, `/connections/${f.connectionId}/questions`, {}],
  [`/connections/${f.connectionId}`, `/connections/${f.connectionId}/powers`, {}],
  [
    `/connections/${f.connectionId}`,
    `/connections/${f.connectionId}`,
    { safe: f.safe?.id ?? '', only: 'yes' },
  ],
  ['/safes', '/safes', { name: 'Another' }],
  ['/safes', '/safes/sample', {}],
  [`${f.path}/settings`, `${f.path}/rename`, { name: 'Renamed' }],
  [`${f.path}/settings`, `${f.path}/single-valued`, { relation: 'knows' }],
  [`${f.path}/settings`, `${f.path}/single-valued/remove`, { relation: 'lives in' }],
  [`${f.path}/removed?subject=Ann&predicate=knows&object=Bo`, `${f.path}/removed/fact`, {}],
  [`${f.path}/removed?passage=${f.passage}`, `${f.path}/removed/passage`, {}],
  [`${f.path}/removed`, `${f.path}/removed/restore`, {}],
  [`${f.path}/notes/new`, `${f.path}/notes/new`, { title: 'Another', text: 'Text.' }],
  [`${f.path}/notes/edit?path=Notes/Note.md`, `${f.path}/notes/edit`, { title: 'Note', text: 'New.' }],
  [`${f.path}/versions?path=Notes/Old.md`, `${f.path}/versions/restore`, { version: f.version }],
  [f.staged, `${f.staged}/commit`, {}],
  [`${f.path}/files`, `${f.undone}/restore`, {}],
  ['/safes', `${f.removed}/restore`, {}],
  [`${f.path}/share`, `${f.path}/share/invite`, { email: '', role: 'reader' }],
  [`${f.path}/share`, `${f.path}/share/members/${f.beaId}`, {}],
  [`${f.path}/share/members/${f.beaId}/remove`, `${f.path}/share/members/${f.beaId}/remove`, {}],
  [`${f.path}/share`, `${f.path}/share/invitations/${f.invitationId}/revoke`, {}],
  [`${f.path}/proposals/${f.proposalId}`, `${f.path}/proposals/${f.proposalId}`, { decision: 'reject' }],
  [`${f.path}/proposals`, `${f.path}/proposals/allow/${f.rejectedId}`, {}],
  [`${f.path}/things/ann`, `${f.path}/names`, { name: 'Anna' }],
  [`${f.path}/duplicates?apart=ann&other=bo`, `${f.path}/duplicates`, { decision: 'apart' }],
  ['/people', '/people/invite', { email: '' }],
  ['/people', `/people/${f.beaId}/role`, {}],
  ['/people', `/people/${f.beaId}/reset`, {}],
  ['/people', `/people/invitations/${f.invitationId}/revoke`, {}],
  ['/connections', `/connections/${f.connectionId}/revoke`, {}],
  ['/connections/recent', '/connections/recent/revoke', {}],
  ['/connections/apps', '/connections/apps', { name: 'An app', callbacks: 'http://127.0.0.1/callback' }],
  ['/connections/revoke-all', '/connections/revoke-all', {}],
  [f.note, `${f.path}/notes/remove`, {}],
  [`${f.committed}/undo`, `${f.committed}/undo`, {}],
  [f.staged, `${f.staged}/undo`, {}],
  [`${f.path}/remove`, `${f.path}/remove`, {}],
  [`/people/${f.beaId}/remove`, `/people/${f.beaId}/remove`, {}],
  ['/system', '/system/check', {}],
  ['/account', `/account/sessions/${f.session}/end`, {}],
  ['/account/programs', '/account/programs', { name: 'A program', days: '30', reach: 'mcp' }],
  ['/account', '/account/password', { current: PASSWORD, next: `new ${PASSWORD}` }],
  ['/account', '/account/display', { theme: 'dark', dates: 'english' }],
  ['/account', '/account/sessions/end-others', {}],
  ['/account/delete', '/account/delete', { password: PASSWORD }],
  ['/account', '/account/sign-out-everywhere', {}],
  ['/', '/logout', {}],
]

/** A form with files, as a browser sends it. */
export function multipart(
  url: string,
  fields: Record<string, string>,
  ...files: [name: string, content: string][]
) {
  const part = (head: string, content: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
  const parts = [
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    ...files.map(([name, content]) => part(`name="file"; filename="${name}"`, content)),
  ]
  const payload = `${parts.join('')}--x--\r\n`
  return {
    method: 'POST' as const,
    url,
    payload,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  }
}
