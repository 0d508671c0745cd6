import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { zip } from '../../zip.js'
import { open as openSignedIn, signedIn } from './open.js'

/** A picture of one pixel. */
const LAMP = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
/** A million lamps in a few lines. */
const BOMB = `<path id="a0"/>${[0, 1, 2, 3, 4, 5].map(at => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`).join('')}`
const FILES = {
  'Home.md':
    '![[lamp.gif]] ![](pics/lamp.gif) ![[fake.png]] ![[drawing.svg]] ![[large.png]] [[lamp]] ![[good.svg]]',
  'pics/good.svg': svg('<g id="a"><path/></g><use href="#a"/>'),
  'pics/bomb.svg': svg(BOMB),
  'pics/entities.svg': `<!DOCTYPE svg SYSTEM "><svg " [<!ENTITY a "aaaa">]>${svg('&a;')}`,
  'pics/lamp.gif': LAMP,
  'pics/fake.png': '<script>alert(1)</script>',
  'pics/drawing.svg': '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
}

/** Ann with a Safe of a note and pictures. */
async function open(t: Test, more: Record<string, Buffer> = {}) {
  const { app, browser, id: ann } = await openSignedIn(t)
  const { id } = await app.safes.create(ann, 'Notes')
  const bytes = Readable.from([
    zip(Object.entries({ ...FILES, ...more }).map(([name, content]) => ({ name, content }))),
  ])
  const done = await app.safes.imports.add(ann, id, { source: 'notes.zip', bytes, commit: true })
  if (done.status !== 'committed') throw new Error(JSON.stringify(done))
  return { app, ann, browser, id, done, path: `/safes/${id}`, image: `/safes/${id}/images/pics/lamp.gif` }
}

t.test('a document shows the pictures of its upload, and no others', async t => {
  const large = Buffer.concat([Buffer.from('\x89PNG\r\n', 'latin1'), randomBytes(8 * 1024 * 1024)])
  const { browser, path, image, done } = await open(t, { 'pics/large.png': large })
  const { body } = await browser.get(`${path}/documents/Home.md`)
  t.equal(body.split(`<img src="${image}"`).length - 1, 2)
  for (const name of ['fake.png', 'drawing.svg', 'large.png'])
    t.match(body, `<span class="image">${name}</span>`)
  t.match(body, `<img src="${path}/images/pics/good.svg"`)
  t.match(body, '<span class="dead">lamp</span>', 'a picture is meant by its whole name')
  t.match(done.leftOut, [
    {
      reason: 'unknown',
      count: 5,
      names: ['bomb.svg', 'entities.svg', 'fake.png', 'drawing.svg', 'large.png'].map(name => `pics/${name}`),
    },
  ])
  t.notMatch((await browser.get(`${path}/documents?folder=pics`)).body, 'lamp.gif', 'they are no documents')
})

t.test('a picture can be loaded by who reads the Safe, and runs nothing when it is opened', async t => {
  const { app, browser, path, image, id, ann, done } = await open(t)
  const loaded = await browser.get(image)
  t.same(loaded.rawPayload, LAMP)
  t.match(loaded.headers, {
    'content-type': 'image/gif',
    'content-security-policy':
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox/,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  })
  const again = { 'if-none-match': String(loaded.headers.etag) }
  t.equal((await browser.send({ url: image, headers: again })).statusCode, 304)
  t.equal((await browser.get(`${path}/images/pics/fake.png`)).statusCode, 404)
  t.equal((await browser.get(`${path}/images/Home.md`)).statusCode, 404, 'a document is no picture')
  const other = await signedIn(app, 'ben@example.org')
  t.equal((await other.browser.get(image)).statusCode, 404)
  await app.safes.imports.undo(ann, id, done.id)
  t.equal((await browser.get(image)).statusCode, 404, 'undone with its import')
})

t.test('an export as Markdown holds the pictures, byte for byte', async t => {
  const { app, ann, id } = await open(t)
  const { chunks } = await app.safes.export(ann, id, 'markdown')
  const archive = Buffer.concat(await Readable.from(chunks).toArray())
  const { id: copy } = await app.safes.create(ann, 'Copy')
  await app.safes.imports.add(ann, copy, {
    source: 'notes.zip',
    bytes: Readable.from([archive]),
    commit: true,
  })
  t.same((await app.safes.documents.image(ann, copy, 'pics/lamp.gif')).bytes, LAMP)
})
