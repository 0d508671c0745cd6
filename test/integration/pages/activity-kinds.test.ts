import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { ACTIVITY_KINDS, type ActivityKind } from '../../../domain/activity/entry.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { build } from '../../helper.js'
import { words } from '../../words.js'
import { assistantOf } from '../oauth/assistant.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'
import { multipart } from './filled.js'
import { open, signedIn } from './open.js'

const KNOWS = '{"type":"relation","from":"Ada","relationType":"knows","to":"Bo"}'

/** The events of an account, oldest first. */
async function kindsOf(app: FastifyInstance, accountId: string): Promise<ActivityKind[]> {
  await app.activity.flush()
  const { entries } = await app.activity.ofAccount(accountId, { limit: 100 })
  return entries.map(({ kind }) => kind).reverse()
}

t.test('everything that people do with a Safe and its members is recorded', async t => {
  const { app, browser: ann, id: annId } = await open(t)
  const { headers } = await ann.submit('/safes', '/safes', { name: 'Harbour' })
  const path = `${headers.location}`
  const upload = async (name: string, content: string) => {
    const fields = hiddenFields((await ann.get(`${path}/files`)).body, `${path}/import`)
    const sent = await ann.send(multipart(`${path}/import`, fields, [name, content]))
    await app.safes.idle()
    return `${sent.headers.location}`
  }
  const one = await upload('one.jsonl', KNOWS)
  await ann.submit(one, `${one}/commit`)
  await ann.submit(`${one}/undo`, `${one}/undo`)
  await ann.submit(`${path}/files`, `${one}/restore`)
  await upload('broken.jsonl', 'not json')
  const stopped = await upload('two.jsonl', KNOWS.replace('Bo', 'Cy'))
  await ann.submit(stopped, `${stopped}/undo`)
  await ann.submit(`${path}/settings`, `${path}/rename`, { name: 'Quay <b>' })
  await ann.submit(`${path}/remove`, `${path}/remove`, { name: 'Quay <b>' })
  await ann.submit('/safes', `${path}/restore`)

  const { browser: bob, id: bobId } = await signedIn(app, 'bob@a.example')
  const invite = { email: 'bob@a.example', role: 'reader' }
  const { body } = await ann.submit(`${path}/share`, `${path}/share/invite`, invite)
  const link = /(\/invite\?token=\w{43})"/.exec(body)?.[1] ?? ''
  await bob.submit(link, '/invite/join')
  const member = `${path}/share/members/${bobId}`
  await ann.submit(`${path}/share`, member, { role: 'owner' })
  await ann.submit(`${path}/share`, member, { role: 'owner' })
  t.same(await kindsOf(app, bobId), ['signed-in-new', 'member-added', 'role-changed'])
  await ann.submit(`${member}/remove`, `${member}/remove`)

  const kinds =
    'signed-in-new imported undone restored import-failed safe-renamed safe-removed safe-restored invited'
  t.same(await kindsOf(app, annId), words(kinds))
  const shown = (await ann.get(`${path}/activity`)).body
  for (const says of [
    'one.jsonl</b></bdi> was restored in this Safe',
    'broken.jsonl</b></bdi> could not be added to this Safe',
    'The name of this Safe was changed (',
    'An invitation link for this Safe was created',
    'A member left this Safe: bob@a.example',
  ])
    t.match(shown, says)
  t.match(shown, `<span class="tag warn">${activityTexts.kinds['import-failed']}</span>`)
  t.match(shown, 'Before: Harbour')
  t.match(shown, 'For bob@a.example')
  t.match(shown, 'Now an owner')
  t.match((await ann.get('/activity?kind=safe-removed')).body, 'Quay &lt;b&gt;')
  const csv = (await ann.get(`${path}/activity.csv`)).body
  t.match(csv, /bob@a\.example,Member removed,,Quay <b>/)
})

t.test('everything that happens to an account is recorded', async t => {
  const { app, browser: ann } = await open(t)
  const { browser: bob, id } = await signedIn(app, 'bob@a.example')
  const next = `new ${PASSWORD}`
  await bob.submit('/account', '/account/password', { current: PASSWORD, next })
  await bob.submit('/', '/logout')
  await bob.submit('/login', '/login', { email: 'bob@a.example', password: next })
  const { body } = await ann.submit('/people', `/people/${id}/reset`)
  const reset = /(\/reset\?token=\w{43})"/.exec(body)?.[1] ?? ''
  await new Browser(app).submit(reset, '/reset', { password: PASSWORD })
  await ann.submit('/people', `/people/${id}/role`, { role: 'admin' })
  const kinds = 'signed-in-new password-changed signed-in reset-link password-reset role-changed'
  t.same(await kindsOf(app, id), words(kinds))
  await bob.submit('/login', '/login', { email: 'bob@a.example', password: PASSWORD })
  await app.activity.flush()
  const shown = (await bob.get('/activity')).body
  t.match(shown, 'Now an administrator')
  t.notMatch(shown, /[?&]token=|correct horse/)
})

t.test('taking powers from a connection is recorded', async t => {
  const app = await build(t)
  const { assistant, id } = await assistantOf(app)
  const safe = await app.safes.create(id, 'Harbour')
  await app.safes.create(id, 'Garden')
  await assistant.connect()
  const [connection] = await app.oauth.connections.listFor(id)
  const page = `/connections/${connection?.id}`
  await assistant.browser.submit(page, page, { safe: safe.id, only: 'yes' })
  t.same(await kindsOf(app, id), ['signed-in-new', 'connected', 'lowered'])
})

t.test('the filter is folded and offers every kind', async t => {
  const { browser: ann } = await open(t)
  const { body } = await ann.get('/activity')
  for (const kind of ACTIVITY_KINDS) {
    t.match(body, `<option value="${kind}">${activityTexts.kinds[kind]}</option>`)
    t.equal((await ann.get(`/activity?kind=${kind}`)).statusCode, 200)
  }
  t.equal(body.match(/<optgroup label/g)?.length, 6, 'in six groups')
  t.match(body, /<details class="fold filters">\s*<summary>/, 'folded')
})
