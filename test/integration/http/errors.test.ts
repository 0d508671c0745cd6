import t from 'tap'
import { failureOf } from '../../../plugins/errors.js'
import { build } from '../../helper.js'
import { Browser } from '../pages/browser.js'

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

t.test('S1 responses contain only messages written for the sender (plugins/errors.ts)', async t => {
  const reported = (error: object) => failureOf(Object.assign(new Error('token svc_at_x'), error))
  t.match(reported({}), { status: 500, message: 'Something went wrong on our side.' })
  t.match(reported({ statusCode: 418 }), { status: 418, message: 'This request is not valid.' })
  t.match(reported({ statusCode: 400, code: 'ECONNRESET' }), { code: 'invalid_request' })
  t.match(reported({ statusCode: 413, code: 'FST_ERR_CTP_BODY_TOO_LARGE' }), {
    code: 'FST_ERR_CTP_BODY_TOO_LARGE',
  })
})

t.test('pages explain in plain sentences what is wrong with a link or a form', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  await browser.signIn('ann@a.example')
  const ann = await app.accounts.findByEmail('ann@a.example')
  const { id } = await app.safes.create(ann?.id ?? '', 'Home')
  const cases: [url: string, sentence: RegExp][] = [
    ['/login?request=%20', /This link or form is incomplete/],
    ['/login?request=a&request=b', /This link or form is incomplete/],
    ['/setup?token=%00', /This link or form is incomplete/],
    [`/invite?token=${'x'.repeat(2000)}`, /too long. At most 1,000 characters/],
    [`/safes/${id}?q=${'x'.repeat(5000)}`, /too long. At most 1,000 characters/],
    [`/safes/${id}?cursor=a&cursor=b`, /This link or form is incomplete/],
  ]
  for (const [url, sentence] of cases) {
    const { statusCode, body } = await browser.get(url)
    t.equal(statusCode, 400, url)
    t.match(body, sentence, url)
    t.notMatch(body, /querystring|Expected|pattern/, url)
  }
  t.match((await browser.get('/setup?token=')).body, /This link has been used or has expired/)
})
