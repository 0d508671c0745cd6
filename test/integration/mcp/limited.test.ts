import t, { type Test } from 'tap'
import { build } from '../../helper.js'
import { assistantOf, type Fields } from '../oauth/assistant.js'
import { type FormFields, PASSWORD } from '../pages/browser.js'
import { posterOf } from './service.js'

const app = await build(t)
const { assistant, id: ann } = await assistantOf(app)
const bob = (await app.accounts.add('bob@a.example', PASSWORD)).id
const names = ['Attic', 'Barn', 'Cellar', 'Den']
const safes: string[] = []
for (const name of names) safes.push((await app.safes.create(ann, name)).id)
const [attic, barn, cellar, den] = safes as [string, string, string, string]
const foreign = (await app.safes.create(bob, 'Foreign')).id

const connect = async (choice: FormFields, changes: Fields = {}) => {
  const { access_token, refresh_token } = await assistant.connect(changes, choice)
  const access = await app.oauth.authenticate(access_token, null)
  return { token: access_token, refresh: refresh_token, id: access?.connectionId ?? '' }
}
const post = posterOf(app)
const call = (accessToken: string, name: string, args: Record<string, unknown>): Promise<Result> =>
  post({ accessToken }).tool(name, args)
interface Result {
  isError?: boolean
  structuredContent?: { safes?: { id: string; active: boolean }[]; safe?: { id: string } }
}
const listed = async (token: string) =>
  (await call(token, 'svc_list_safes', {})).structuredContent?.safes?.map(({ id }) => id).sort()

/** Every tool with every Safe: allowed ones answer, the others behave as if they did not exist. */
async function readsOnly(t: Test, token: string, allowed: string[], what: string) {
  t.strictSame(await listed(token), [...allowed].sort(), `${what}: listed`)
  for (const [i, id] of [...safes, foreign].entries()) {
    const refused = !allowed.includes(id)
    const isError = async (name: string, args: Record<string, unknown>) =>
      (await call(token, name, args)).isError === true
    t.equal(await isError('svc', { query: 'x', safe: id }), refused, `${what}: asked ${names[i]}`)
    t.equal(await isError('svc_list_safes', { cursor: id }), refused, `${what}: cursor ${names[i]}`)
    t.equal(await isError('svc_select_safe', { safe: names[i] ?? 'Foreign' }), refused, `${what}: by name`)
    t.equal(await isError('svc_select_safe', { safe: id }), refused, `${what}: selected ${names[i]}`)
    const active = await call(token, 'svc', { query: 'x' })
    t.ok(allowed.includes(active.structuredContent?.safe?.id ?? ''), `${what}: the active one`)
  }
}

t.test('C7 a connection limited to several Safes reads these and no other', async t => {
  for (const choice of [
    { safe: [attic, cellar], only: 'yes' },
    { safe: [attic, cellar] },
    { safe: ['', attic, cellar] },
  ]) {
    const { token } = await connect(choice)
    t.equal((await call(token, 'svc', { query: 'x' })).isError, true, 'the assistant chooses first')
    await readsOnly(t, token, [attic, cellar], JSON.stringify(choice))
  }
})

t.test('DESIGN §5.3 one chosen without the limit is where it starts; none means all', async t => {
  const { token } = await connect({ safe: barn })
  t.match(await call(token, 'svc', { query: 'x' }), { structuredContent: { safe: { id: barn } } })
  t.strictSame(await listed(token), [...safes].sort())
  for (const choice of [{}, { safe: '' }])
    t.strictSame(await listed((await connect(choice)).token), [...safes].sort())
})

t.test('a narrowed connection loses Safes at once, also those that it had selected', async t => {
  const { token, id, refresh } = await connect({})
  await call(token, 'svc_select_safe', { safe: den })
  const narrow = (safeIds: string[]) =>
    app.oauth.connections.narrow(ann, id, { safeIds, only: true, scope: ['vault:read'] })
  await narrow([attic, barn, cellar])
  t.equal((await call(token, 'svc', { query: 'x' })).isError, true, 'its selection does not count any more')
  await readsOnly(t, token, [attic, barn, cellar], 'limited')
  await t.rejects(narrow([foreign]), { status: 400, code: 'bad_choice' })
  await narrow([barn, den])
  t.strictSame(await listed(token), [barn], 'nothing comes back')
  t.match(await call(token, 'svc', { query: 'x' }), { structuredContent: { safe: { id: barn } } })
  const { access_token } = (await assistant.refresh(refresh)).json()
  t.strictSame(await listed(access_token), [barn], 'nor with a new token')
  t.match(await app.oauth.connections.find(id), { chosenSafeIds: [barn], onlyChosenSafe: true })
})

t.test('T14 a withdrawn scope is missing from all tokens; a refresh may still ask for it', async t => {
  const scope = 'vault:read vault:write'
  const { token, refresh, id } = await connect({ scope: 'vault:write' }, { scope })
  t.match(await app.oauth.authenticate(token, null), { tokenScope: ['vault:read', 'vault:write'] })
  await app.oauth.connections.narrow(ann, id, { safeIds: [], only: false, scope: ['vault:read'] })
  t.strictSame((await app.oauth.authenticate(token, null))?.tokenScope, ['vault:read'])
  const again = await assistant.refresh(refresh, { scope })
  t.match([again.statusCode, again.json()], [200, { scope: 'vault:read' }])
  t.strictSame((await app.oauth.authenticate(again.json().access_token, null))?.tokenScope, ['vault:read'])
  const only = await assistant.refresh(again.json().refresh_token, { scope: 'vault:write' })
  t.match([only.statusCode, only.json()], [400, { error: 'invalid_scope' }], 'nothing would be left')
  t.match(await app.oauth.connections.find(id), { scope: ['vault:read'] })
})

t.test('a connection is narrowed by its own account only, and not once it has ended', async t => {
  const { id } = await connect({})
  const choice = { safeIds: [attic], only: true, scope: [] }
  await t.rejects(app.oauth.connections.narrow(bob, id, choice), { status: 404, code: 'not_found' })
  await t.rejects(app.oauth.connections.findFor(bob, id), { status: 404, code: 'not_found' })
  await app.oauth.connections.revoke(ann, id)
  await t.rejects(app.oauth.connections.narrow(ann, id, choice), { status: 404, code: 'not_found' })
  t.match(await app.oauth.connections.findFor(ann, id), { ended: true, chosenSafeIds: { length: 0 } })
})
