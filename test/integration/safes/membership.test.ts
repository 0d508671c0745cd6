import t from 'tap'
import { Folder } from './folder.js'
import { file, openSafe, openSafes, people } from './open.js'

const FACT = { subject: 'Person 0', predicate: 'knows', object: 'Person 1' }

t.test('S2 to strangers a Safe does not exist, whatever the request', async t => {
  const { domain, dump, id, add } = await openSafe(t)
  await add('a.nt', people(3), { commit: false })
  const before = await dump()
  for (const [title, attempt] of everything(domain, 'bob', id))
    await t.rejects(attempt(), { status: 404, message: 'There is no such Safe.' }, title)
  t.equal(await domain.find('bob', id), null)
  t.equal(await domain.membership('bob', id), null)
  t.same(await domain.readableBy('bob'), [])
  t.same(await dump(), before)
  for (const guess of ['', 'x'.repeat(9000), "' or 1=1 --", `${id}\0`])
    t.equal(await domain.membership('ann', guess), null, 'a guess')
})

t.test('S2 a reader reads, and gets 403 for what needs the owner', async t => {
  const { domain, dump, id, add } = await openSafe(t)
  await add('a.nt', people(3))
  await domain.members.share('ann', id, 'bob', 'reader')
  await domain.readableBy('bob')
  const before = await dump()
  for (const [title, attempt] of everything(domain, 'bob', id)) {
    if (READS.has(title)) await t.resolves(attempt(), title)
    else await t.rejects(attempt(), { code: 'owner_only' }, title)
  }
  t.match(await domain.readableBy('bob'), [{ id, role: 'reader', counts: { entities: 4 } }])
  t.same(await dump(), before)
  await domain.members.unshare('ann', id, 'bob')
  t.equal(await domain.membership('bob', id), null, 'at once')
})

t.test('a Safe keeps at least one owner', async t => {
  const { domain, dump, id } = await openSafe(t)
  const before = await dump()
  await t.rejects(domain.members.unshare('ann', id, 'ann'), { code: 'last_owner' })
  await t.rejects(domain.members.share('ann', id, 'ann', 'reader'), { code: 'last_owner' })
  await t.rejects(domain.members.share('ann', id, 'nobody', 'reader'), {
    message: 'There is no such account.',
  })
  const noMember = { code: 'not_found', message: 'There is no such member.' }
  await t.rejects(domain.members.unshare('ann', id, 'bob'), noMember)
  await t.rejects(domain.members.changeRole('ann', id, 'bob', 'owner'), noMember)
  t.same(await dump(), before)
  await domain.members.share('ann', id, 'bob', 'owner')
  await domain.members.unshare('bob', id, 'ann')
  t.same(await domain.members.list('bob', id), [{ accountId: 'bob', role: 'owner' }])
})

t.test('a Safe’s name is kept as typed, without control characters, and never empty', async t => {
  const { domain } = await openSafes(t)
  for (const name of ['', '  ', 'a\0b', 'a\nb', 'x'.repeat(101)]) {
    await t.rejects(domain.create('ann', name), { status: 400, code: 'invalid_name' })
  }
  t.same(await domain.readableBy('ann'), [])
  const safe = await domain.create('ann', ' <b>{{it}}</b> ')
  t.equal(safe.name, '<b>{{it}}</b>')
  await domain.rename('ann', safe.id, 'New')
  t.equal((await domain.membership('ann', safe.id))?.name, 'New')
})

/** What readers may also do. */
const READS = new Set([
  ...['ask', 'members', 'imports', 'findImport', 'undone', 'folders', 'singleValued', 'findNote'],
  ...[
    'documents',
    'document',
    'sizes',
    'changes',
    'export',
    'inOrder',
    'among',
    'folder',
    'tags',
    'neighbours',
  ],
  ...['resolve', 'read', 'original', 'page', 'browse', 'thingsFrom'],
])

function everything(
  domain: Awaited<ReturnType<typeof openSafes>>['domain'],
  who: string,
  safeId: string,
): [string, () => Promise<unknown>][] {
  const document = async () => (await domain.documents.list('ann', safeId, { limit: 1 }))[0]!
  return [
    ['rename', () => domain.rename(who, safeId, 'Mine')],
    ['remove', () => domain.removal.remove(who, safeId)],
    ['share', () => domain.members.share(who, safeId, 'cy', 'owner')],
    ['unshare', () => domain.members.unshare(who, safeId, 'ann')],
    ['changeRole', () => domain.members.changeRole(who, safeId, 'bob', 'owner')],
    ['people', () => domain.members.people(who, safeId)],
    ['members', () => domain.members.list(who, safeId)],
    ['ask', () => domain.questions.ask(who, safeId, { query: 'Person 1' })],
    ['import', () => domain.imports.add(who, safeId, file('b.nt', people(2)))],
    ['startImport', () => domain.imports.start(who, safeId, file('b.nt', people(2)))],
    ['commitImport', () => domain.imports.commit(who, safeId, 1)],
    ['undoImport', () => domain.imports.undo(who, safeId, 1)],
    ['imports', () => domain.imports.list(who, safeId)],
    ['findImport', () => domain.imports.find(who, safeId, 1)],
    ['undone', () => domain.imports.undone(who, safeId)],
    ['restoreImport', () => domain.imports.restore(who, safeId, 1)],
    ['sync', () => domain.folders.sync(who, safeId, { name: 'a', folder: '/a', walk: new Folder().walk })],
    ['folders', () => domain.folders.list(who, safeId)],
    ['findNote', () => domain.notes.find(who, safeId, 'a.nt')],
    ['addNote', () => domain.notes.add(who, safeId, 'Title', 'Text.')],
    ['editNote', () => domain.notes.edit(who, safeId, { path: 'a.nt', title: 'A', text: 'B', version: '' })],
    ['removeNote', () => domain.notes.remove(who, safeId, 'a.nt')],
    ['removed', () => domain.removed.list(who, safeId)],
    ['removeFact', () => domain.removed.removeFact(who, safeId, FACT)],
    ['removePassage', () => domain.removed.removePassage(who, safeId, 'p1.1')],
    ['bringBack', () => domain.removed.restore(who, safeId, 'x')],
    ['singleValued', () => domain.singleValued.list(who, safeId)],
    ['setSingleValued', () => domain.singleValued.set(who, safeId, 'knows', true)],
    ['duplicates', () => domain.identity.duplicates(who, safeId, { limit: 1 })],
    ['merge', () => domain.identity.merge(who, safeId, 'Person 0', 'Person 1')],
    ['split', () => domain.identity.split(who, safeId, 'Person 0')],
    ['addName', () => domain.identity.addName(who, safeId, 'Person 0', 'Zero')],
    ['keepApart', () => domain.identity.keepApart(who, safeId, 'Person 0', 'Person 1')],
    ['offerAgain', () => domain.identity.offerAgain(who, safeId, 'Person 0', 'Person 1')],
    ['documents', () => domain.documents.list(who, safeId, { limit: 1 })],
    ['document', () => domain.documents.find(who, safeId, 'a.nt')],
    ['inOrder', () => domain.documents.inOrder(who, safeId, 'time', { limit: 1 })],
    ['among', () => domain.documents.among(who, safeId, ['a.md'])],
    ['folder', () => domain.documents.folder(who, safeId, '', { after: '', limit: 1 })],
    ['tags', () => domain.documents.tags(who, safeId)],
    ['neighbours', () => domain.documents.neighbours(who, safeId, 'a.nt')],
    ['resolve', () => domain.documents.resolve(who, safeId, 'a.nt', ['b'])],
    ['read', async () => domain.documents.read(who, safeId, await document())],
    ['original', async () => domain.documents.original(who, safeId, await document())],
    ['page', () => domain.reading.page(who, safeId, { document: 'a.nt', maxTokens: 1_000 })],
    ['browse', () => domain.browse.suggest(who, safeId, 'Person', 1)],
    ['thingsFrom', () => domain.browse.thingsFrom(who, safeId, { source: 'a.nt', limit: 1 })],
    ['sizes', () => domain.documents.sizes(who, safeId, 2)],
    ['changes', () => domain.changes.latest(who, safeId, 10)],
    ['export', () => domain.export(who, safeId, 'csv')],
  ]
}
