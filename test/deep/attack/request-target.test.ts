import t from 'tap'
import { build } from '../../helper.js'
import { Browser, PASSWORD } from '../../integration/pages/browser.js'
import { sendRaw } from '../../socket.js'

/** Request targets that name another origin, and the path that each means. */
const TARGETS = {
  'http://evil.example/safes?a=b': '/safes?a=b',
  'HTTPS://evil.example:8443/safes': '/safes',
  'http://me:secret@evil.example/safes': '/safes',
  'http:///safes': '/safes',
}

t.test('a request target with an origin leads nowhere else after sign-in (RFC 9112 §3.2.2)', async t => {
  const app = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await new Browser(app).signIn('ann@a.example')
  for (const [target, path] of Object.entries(TARGETS)) {
    const browser = new Browser(app)
    const cookie = () => [...browser.cookies].map(pair => pair.join('=')).join('; ')
    await browser.get('/login')
    const { status, headers } = await sendRaw(app, `GET ${target}`, [`Cookie: ${cookie()}`])
    t.equal(status, 303, target)
    const login = headers.location ?? ''
    t.match(login, /^\/login\?form=/)
    const done = await browser.submit(login, '/login', { email: 'ann@a.example', password: PASSWORD })
    t.match(done, { statusCode: 303, headers: { location: path } }, target)
  }
})

t.test('what is no path is answered, and not redirected to', async t => {
  const app = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const targets = ['//evil.example/safes', '/\\evil.example/safes', 'http://evil.example//evil.example/safes']
  for (const target of [...targets, 'javascript:alert(1)', 'evil.example/safes', 'http://evil.example']) {
    const { status, headers } = await sendRaw(app, `GET ${target}`)
    t.ok([200, 303, 400, 404].includes(status), `${target}: ${status}`)
    t.match(headers.location ?? '/', /^\/(?![/\\])/, target)
  }
  t.equal((await sendRaw(app, 'GET http://evil.example/healthz')).status, 200)
  t.equal((await sendRaw(app, 'OPTIONS *')).status, 204, 'as a preflight of `/` (RFC 9110 §9.3.7)')
})
