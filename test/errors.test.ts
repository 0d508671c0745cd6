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
