// Attacks of somebody who knew a password and has prepared for its change (ADR 47).
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { build, testClock } from '../../helper.js'
import { Authenticator } from '../../integration/accounts/authenticator.js'
import { addPasskey, signInWithPasskey } from '../../integration/accounts/passkey-browser.js'
import { Browser, PASSWORD } from '../../integration/pages/browser.js'

const DAY = 24 * 3_600_000
const EMAIL = 'ann@a.example'
const RECENT = '/connections/recent'

async function open(t: Test) {
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  const ann = await app.accounts.add(EMAIL, PASSWORD)
  const connect = (clientName: string, accountId = ann.id) =>
    app.oauth.issueTokens(accountId, { clientName, days: 90 })
  /** Opens a reset link of Ann. @returns the browser and the answer */
  const reset = async () => {
    const link = `/reset?token=${await app.accounts.passwords.createResetToken(ann.id)}`
    const browser = new Browser(app)
    return { browser, answer: await browser.submit(link, '/reset', { password: `new ${PASSWORD}` }) }
  }
  return { app, clock, ann, connect, reset }
}

const works = async (app: FastifyInstance, { accessToken }: { accessToken: string }) =>
  (await app.oauth.authenticate(accessToken, null)) !== null

t.test('what was connected before the reset is shown, and ends with one click', async t => {
  const { app, clock, connect, reset } = await open(t)
  const eve = new Browser(app)
  await eve.signIn(EMAIL)
  const own = await connect('Claude of Ann')
  clock.now += 31 * DAY
  await eve.signIn(EMAIL)
  const passkey = new Authenticator()
  await addPasskey(eve, passkey)
  const planted = []
  for (let i = 0; i < 60; i++) {
    clock.now += 1000
    planted.push(await connect(`Planted ${i}`))
  }
  const bob = await app.accounts.add('bob@a.example', PASSWORD)
  const foreign = await connect('Claude of Bob', bob.id)

  const { browser, answer } = await reset()
  t.match(answer, { statusCode: 303, headers: { location: `${RECENT}?reset=yes` } })
  t.equal((await eve.get('/account')).statusCode, 303, 'sessions have ended')
  const { body } = await browser.get(`${RECENT}?reset=yes`)
  t.match(body, 'Your new password is set')
  t.match(body, /Planted 59[\s\S]*unverified[\s\S]*Planted 58/, 'the newest first')
  t.match(body, 'There are more.')
  t.notMatch(body, /Claude of/, 'neither older ones nor those of others')
  t.match(body, /Passkeys[\s\S]*My phone[\s\S]*href="\/account#passkeys"/)

  const done = await browser.submit(RECENT, `${RECENT}/revoke`)
  t.match(done, { statusCode: 303, headers: { location: RECENT } })
  for (const connection of planted) t.notOk(await works(app, connection))
  t.ok(await works(app, own), 'an older one goes on')
  t.ok(await works(app, foreign), 'and those of others')
  t.match((await browser.get(RECENT)).body, 'Nothing was connected')

  t.equal((await signInWithPasskey(new Browser(app), passkey)).statusCode, 303)
  await browser.submit('/account', `/account/passkeys/${passkey.id}/remove`)
  t.equal((await signInWithPasskey(new Browser(app), passkey)).statusCode, 400)
})

t.test('nobody ends the connections of another', async t => {
  const { app, connect } = await open(t)
  const own = await connect('Claude')
  const eve = new Browser(app)
  await eve.signIn('eve@a.example')
  const { body } = await eve.get(RECENT)
  t.notMatch(body, 'Claude')
  t.equal((await eve.post(`${RECENT}/revoke`, {})).statusCode, 403, 'C1 without a token')
  t.ok(await works(app, own))
})

t.test('with nothing left behind, a reset leads home', async t => {
  const { clock, connect, reset } = await open(t)
  await connect('Claude')
  clock.now += 31 * DAY
  t.match((await reset()).answer, { statusCode: 303, headers: { location: '/' } })
})
