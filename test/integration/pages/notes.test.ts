import t, { type Test } from 'tap'
import { capturedFields, capturedText } from '../../../routes/pages/documents/shared-content.js'
import { writesNothing } from '../../written.js'
import { Browser, hiddenFields } from './browser.js'
import { open as openSignedIn } from './open.js'

async function open(t: Test) {
  const { app, browser: ann, id: owner } = await openSignedIn(t)
  const safe = await app.safes.create(owner, 'Garden')
  return { app, ann, owner, safe, at: `/safes/${safe.id}` }
}

t.test('a note is written, edited and removed on pages, each with Undo (UX "Things")', async t => {
  const { app, ann, at } = await open(t)
  const fresh = `${at}/notes/new`
  const saved = await ann.submit(fresh, fresh, { title: 'Plan', text: 'Sow **peas**.' })
  const address = String(saved.headers.location)
  t.equal(address, `${at}/documents/Notes/Plan.md`)
  const page = await ann.get(address)
  t.match(page.body, /<strong>peas<\/strong>/)
  t.match(page.body, /Note saved\./)

  const edit = `${at}/notes/edit`
  const form = `${edit}?path=Notes%2FPlan.md`
  t.match((await ann.get(form)).body, /Sow \*\*peas\*\*\./)
  const edited = await ann.submit(form, edit, { title: 'Plan', text: 'Sow beans.' })
  const shown = (await ann.get(String(edited.headers.location))).body
  t.match(shown, /beans/)
  const late = {
    ...hiddenFields((await ann.get(form)).body, edit),
    version: 'older',
    title: 'Plan',
    text: 'Mine',
  }
  const refused = await writesNothing(t, app, 'a stale edit', () => ann.post(edit, late))
  t.equal(refused.statusCode, 409)
  t.match(refused.body, />\nMine<\/textarea>/, 'what was typed is still there')

  const undone = await ann.post(`${at}/undo`, hiddenFields(shown, `${at}/undo`))
  t.equal(undone.headers.location, `${at}/documents/Notes/Plan.md`)
  t.match((await ann.get(String(undone.headers.location))).body, /<strong>peas<\/strong>/)
  t.notMatch((await ann.get(address)).body, /is saved/, 'it is said once')
  const removed = await ann.submit(String(undone.headers.location), `${at}/notes/remove`)
  await ann.submit(String(removed.headers.location), `${at}/undo`)
  t.equal((await ann.get(`${at}/documents/Notes/Plan.md`)).statusCode, 200)
})

t.test(
  '/add takes what a share sheet or bookmarklet passes on, also before signing in (UX "Capture")',
  async t => {
    const { app, ann, owner, safe } = await open(t)
    const other = await app.safes.create(owner, 'Reading')
    const guest = new Browser(app)
    const shared = '/add?title=A%20page&url=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1&text='
    const login = String((await guest.get(shared)).headers.location)
    t.match(login, /^\/login\?form=/)
    t.equal((await ann.get('/manifest.webmanifest')).json().share_target.action, '/add')
    const page = await ann.get(shared)
    t.match(page.body, /value="A page"[\s\S]*value="https:\/\/example.org\/a\?b=1"/)
    t.equal(
      (await app.safes.documents.list(owner, other.id, { limit: 1 })).length,
      0,
      'opening it adds nothing',
    )
    const saved = await ann.submit(shared, '/add', {
      safe: other.id,
      title: 'A page',
      text: '',
      url: 'https://example.org/a?b=1',
    })
    t.match(saved.headers.location, `/safes/${other.id}/documents/Notes/A%20page.md`)
    const again = await ann.get('/add')
    t.match(again.body, new RegExp(`value="${other.id}" selected`), 'the Safe chosen last')
    t.notMatch(again.body, new RegExp(`value="${safe.id}" selected`))

    const eve = new Browser(app)
    await eve.signIn('eve@example.org')
    const fields = { safe: safe.id, title: 'X', text: 'Y', url: '', _csrf: eve.tokenFor('/add') }
    await writesNothing(t, app, 'a Safe of others', async () =>
      t.equal((await eve.post('/add', fields)).statusCode, 404),
    )
    await writesNothing(t, app, 'without a token', async () =>
      t.equal((await ann.post('/add', { safe: safe.id, title: 'X', text: 'Y', url: '' })).statusCode, 403),
    )
  },
)

t.test('an address among what is shared becomes the address of the note', async t => {
  for (const [given, expected] of [
    [{ text: 'https://a.example/x' }, { title: 'a.example', text: '', url: 'https://a.example/x' }],
    [
      { text: 'Look at this https://a.example/x' },
      { title: 'Look at this', text: 'Look at this', url: 'https://a.example/x' },
    ],
    [
      { title: 'T', text: 'Only words' },
      { title: 'T', text: 'Only words', url: '' },
    ],
    [
      { text: 'https://a.example', url: 'https://b.example' },
      { title: 'https://a.example', text: 'https://a.example', url: 'https://b.example' },
    ],
    [{}, { title: '', text: '', url: '' }],
  ] as const)
    t.strictSame(capturedFields(given), expected)
  t.equal(capturedText({ text: '', url: 'javascript:alert(1)' }, 0), '', 'nothing but an address of the web')
  const text = capturedText({ text: '', url: 'https://a.example/"\\x' }, 0)
  t.equal(text, '---\ndate: 1970-01-01\nurl: "https://a.example/%22/x"\n---\n\n<https://a.example/%22/x>')
})
