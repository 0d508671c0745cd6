import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { UPLOADS_SCOPE } from '../../../domain/safes/uploads/uploads.js'
import { build } from '../../helper.js'
import { refused } from '../../written.js'
import { Browser } from './browser.js'
import { multipart } from './filled.js'

const BYTES = 'application/offset+octet-stream'

async function open(t: Parameters<typeof build>[0]) {
  const app = await build(t)
  const ann = new Browser(app)
  await ann.signIn('ann@example.org')
  const account = await app.accounts.findByEmail('ann@example.org')
  const safe = await app.safes.create(account?.id ?? '', 'Household')
  return { app, ann, account, safe, path: `/safes/${safe.id}` }
}

const beginning = (browser: Browser, path: string, token = browser.tokenFor(UPLOADS_SCOPE)) =>
  browser.send({
    method: 'POST',
    url: `${path}/uploads`,
    headers: {
      accept: 'application/json',
      'tus-resumable': '1.0.0',
      'upload-length': '7',
      'upload-metadata': `filename ${btoa('a.md')}`,
      'csrf-token': token,
    },
  })

t.test('a page sends a file in parts with its session (ADR 57)', async t => {
  const { app, ann, account, safe, path } = await open(t)
  const token = ann.tokenFor(UPLOADS_SCOPE)
  t.ok((await ann.get(path)).body.includes(`data-token="${token}"`), 'the page has the token')
  const begun = await beginning(ann, path)
  t.equal(begun.statusCode, 201)
  const id = String(begun.headers.location).split('/').at(-1)
  const headers = { accept: 'application/json', 'tus-resumable': '1.0.0', 'csrf-token': token }
  const appended = await ann.send({
    method: 'PATCH',
    url: `${path}/uploads/${id}`,
    headers: { ...headers, 'upload-offset': '0', 'content-type': BYTES },
    payload: 'A note.',
  })
  t.equal(appended.statusCode, 204)
  const started = await ann.send({
    method: 'POST',
    url: `${path}/imports`,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: { uploads: [id] },
  })
  t.match(started.json(), { id: 1, source: 'a.md' })
  t.match(await app.safes.imports.find(account?.id ?? '', safe.id, 1), { source: 'a.md' })
})

t.test('C1 uploads of a page need its token and an owner', async t => {
  const { app, ann, path } = await open(t)
  const eve = new Browser(app)
  await eve.signIn('eve@example.org')
  const cases = [
    ['no token', ann, '', 403],
    ['the token of a form', ann, ann.tokenFor(`${path}/import`), 403],
    ["a stranger's", eve, eve.tokenFor(UPLOADS_SCOPE), 404],
    ['nobody', new Browser(app), ann.tokenFor(UPLOADS_SCOPE), 403],
  ] as const
  for (const [what, browser, token, status] of cases) {
    const response = await refused(t, app, what, () => beginning(browser, path, token))
    t.equal(response.statusCode, status, what)
    t.equal(typeof response.json().error_description, 'string')
  }
})

t.test('the form without a script names its limit of 20 files', async t => {
  const { app, ann, account, safe, path } = await open(t)
  const action = `${path}/import`
  const files = Array.from({ length: 21 }, (_, at): [string, string] => [`${at}.md`, 'A note.'])
  const response = await ann.send(multipart(action, { _csrf: ann.tokenFor(action) }, ...files))
  t.equal(response.statusCode, 400)
  t.match(response.body, 'This form takes up to 20 files.')
  t.same(await app.safes.imports.list(account?.id ?? '', safe.id), [])
  t.same(readdirSync(join(app.config.dataDir, 'uploads')), [])
})
