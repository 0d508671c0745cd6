import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { sharedChromium } from '../../chromium.js'
import { build, testClock } from '../../helper.js'
import { rounds } from '../../rounds.js'
import { Assistant, CALLBACK } from '../oauth/assistant.js'
import { Browser, PASSWORD, type Response } from './browser.js'

const HARMLESS = 'Harmless'
const HOSTILE: Record<string, string> = {
  'an element': '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'the end of what holds it': '</bdi></title></textarea></a></main><base href=//evil.example>',
  'the end of an attribute': '" autofocus onfocus="alert(1)" x=\'',
  'the end of an attribute, unquoted': "' onmouseover=alert(1) `x=`",
  comments: '<!-- --!> <![CDATA[ ]]> <?php ?>',
  entities: '&lt;b&gt; &amp;quot; &#60;script&#62;',
  'templates of ours': "<%= it.csrf %><%~ include('./layout') %><% throw 1 %>",
  'templates of others': "{{constructor.constructor('x')()}} #{7*7} [[x]]",
  'bidi marks': '\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c',
  'right to left': 'مرحبا بالعالم שלום',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈\ufe0f\u200d',
  'a link': 'javascript:alert(1)//',
  'a formula': '=HYPERLINK("http://evil.example")',
  'very long': 'W'.repeat(90),
}

const page = await (await sharedChromium()).newPage()
t.teardown(() => page.close())

interface Parsed {
  /** Every element with the names of its attributes. */
  shape: string[]
  /** Attributes that take a browser somewhere or load something. */
  addresses: string[]
}

/** A page as Chromium reads it, without rendered passages: unit/rendering tests their content (ADR 70). */
const parse = (html: string) =>
  page.evaluate<Parsed>(`{
    const parsed = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html')
    for (const passage of parsed.querySelectorAll('.excerpt')) passage.replaceChildren()
    // The full names behind shortened names in a picture.
    for (const title of parsed.querySelectorAll('.small-picture title')) title.remove()
    const elements = [...parsed.querySelectorAll('*')]
    const address = element => ['href', 'src', 'action', 'formaction'].map(name => element.getAttribute(name))
    const shape = elements.map(element => [element.tagName, ...element.getAttributeNames()].join(' '))
    ;({ shape, addresses: elements.flatMap(address).filter(Boolean) })
  }`)

t.test('S3 names chosen by people and programs show as text on every page', async t => {
  const clock = testClock(Date.now())
  // On every set-up: Redis would count wrong passwords by its own clock.
  const app = await build(t, { clock, setUp: 'embedded' })
  // Administrators have one page more than others.
  await app.accounts.add('admin@example.org', PASSWORD)
  const harmless = await pagesWith(app, HARMLESS, 'harmless')
  const harmlessShapes = new Map<string, Parsed>()
  for (const [where, { body }] of Object.entries(harmless)) harmlessShapes.set(where, await parse(body))
  const texts = Object.entries(HOSTILE)
  for (const [i, [name, text]] of texts.slice(0, rounds(7, texts.length)).entries()) {
    // To stay below the limit of wrong passwords.
    clock.now += 16 * 60_000
    const pages = await pagesWith(app, text, `${i}`)
    for (const [where, { statusCode, body }] of Object.entries(pages)) {
      t.equal(statusCode, harmless[where]?.statusCode, `${name}: ${where}`)
      const parsed = await parse(body)
      const added = parsed.shape.filter(element => !harmlessShapes.get(where)?.shape.includes(element))
      t.strictSame(added, [], `${name}: ${where} has no element or attribute more`)
      const elsewhere = parsed.addresses.filter(address => !/^(?:\/(?!\/)|#|\?)/.test(address))
      t.strictSame(elsewhere, [], `${name}: ${where} leads to us`)
    }
    shows(t, name, text, pages)
  }
})

/** The text is shown as it was sent, unless a part is removed. */
function shows(t: Test, name: string, text: string, pages: Record<string, Response>) {
  const escaped = text.replace(/[&<>"']/g, sign => ENTITIES[sign] as string)
  for (const where of ['the Safe', 'all Safes', 'an answer', 'a refused name', 'a refused sign-in']) {
    t.ok(pages[where]?.body.includes(escaped), `${name}: ${where} shows it`)
  }
}
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Every page that shows text from somebody else, with this text in each such place. */
async function pagesWith(app: FastifyInstance, text: string, key: string): Promise<Record<string, Response>> {
  const user = new Browser(app)
  const email = `user-${key}@example.org`
  await user.signIn(email)
  const account = await app.accounts.findByEmail(email)
  const id = account?.id ?? ''
  const safe = await app.safes.create(id, text)
  const lines = [
    { type: 'entity', name: text, entityType: text, observations: [`lantern ${text}`] },
    { type: 'relation', from: text, to: `lantern ${text}`, relationType: text },
  ]
  const bytes = (more = '') => Readable.from([lines.map(line => JSON.stringify(line)).join('\n') + more])
  const source = `${text.replaceAll('/', '')}.jsonl`
  await app.safes.imports.add(id, safe.id, { source, bytes: bytes(), commit: true })
  const failed = await app.safes.imports.add(id, safe.id, { source, bytes: bytes(`\n${text}`), commit: true })
  const assistant = new Assistant(app)
  Object.assign(assistant.browser, { cookies: user.cookies })
  const registered = await assistant.register({ redirect_uris: [CALLBACK], client_name: text })
  assistant.clientId = registered.json().client_id
  const consent = await assistant.consentPage()
  const shownConsent = await user.get(consent)
  await app.oauth.issueTokens(id, { clientName: text, grant: { chosenSafeIds: [safe.id] } })
  // So that the navigation shows the same number on all pages.
  await app.activity.flush()
  const path = `/safes/${safe.id}`
  const asked = new URLSearchParams({ q: `lantern ${text}`.slice(0, 900) })
  const stranger = new Browser(app)
  return {
    home: await user.get('/'),
    'all Safes': await user.get('/safes'),
    'the Safe': await user.get(path),
    'an answer': await user.get(`${path}?${asked}`),
    'an expired cursor': await user.get(`${path}?${asked}&${new URLSearchParams({ cursor: text })}`),
    'removing it': await user.get(`${path}/remove`),
    'its settings': await user.get(`${path}/settings`),
    'looking through it': await user.get(`${path}/browse`),
    'adding a file': await user.get(`${path}/import`),
    'a failed import': await user.get(`${path}/imports/${failed.id}`),
    connections: await user.get('/connections'),
    consent: shownConsent,
    'a refused name': await user.submit('/safes', '/safes', { name: text.padEnd(101, 'x') }),
    'a refused sign-in': await stranger.submit('/login', '/login', { email: text, password: text }),
    'an unknown app': await user.get(
      `/oauth/authorize?${new URLSearchParams({ client_id: text, state: text })}`,
    ),
    nowhere: await user.get(`/${encodeURIComponent(text)}`),
  }
}
