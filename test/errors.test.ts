import t from 'tap'
import { build } from './helper.js'

t.test('an address that cannot be decoded is 404: JSON for programs, a page for people', async t => {
  const app = await build(t)
  for (const url of ['/%zz', '/oauth/authorize%', '/mcp/v1/%']) {
    const forPrograms = await app.inject({ url })
    t.equal(forPrograms.statusCode, 404, url)
    t.same(forPrograms.json().error, 'not_found')
    const forPeople = await app.inject({ url, headers: { accept: 'text/html' } })
    t.equal(forPeople.statusCode, 404)
    t.match(forPeople.headers, { 'content-type': /text\/html/, 'x-frame-options': 'DENY' })
    t.match(forPeople.body, /There is nothing at this address/)
  }
})

t.test('S1 an upload at level trace leaves no cookie in the log', async t => {
  let log = ''
  const stream = {
    write(line: string) {
      log += line
    },
  }
  const app = await build(t, { log: stream })
  const account = await app.accounts.add('ann@safes.example', 'a password for the tests')
  const safe = await app.safes.create(account.id, 'Safe')
  const session = await app.loginSessions.begin(account.id)
  await app.inject({
    method: 'POST',
    url: `/safes/${safe.id}/import`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    cookies: { '__Host-svc_session': session },
    payload: '--x\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\nno\r\n--x--\r\n',
  })
  t.match(log, /busboyOptions/, 'the library did log the upload')
  t.notOk(log.includes(session))
})
