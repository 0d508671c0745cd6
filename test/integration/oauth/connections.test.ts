import t from 'tap'
import { hiddenFields } from '../pages/browser.js'
import { startSignedIn } from './signed-in.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

t.test('a connection that expired is shown as ended, without a time', async t => {
  const { app, clock, assistant, ann, shown } = await startSignedIn(t)
  const live = { ended: false, revokedAt: null, revokedReason: null }
  const over = { ended: true, revokedAt: null, revokedReason: 'It expired. Connect again to continue.' }

  const code = await assistant.code()
  const { refresh_token } = await assistant.connect()
  const { accessToken } = await app.oauth.issueTokens(ann.id, { clientName: 'script' })
  for (const token of [code, refresh_token, accessToken]) t.match(await shown(token), live)
  clock.now += 10 * MINUTE
  t.match(await shown(code), over, 'a code that was not redeemed')
  clock.now += 50 * MINUTE
  t.match(await shown(accessToken), over, 'a token from the command line')
  t.match(await shown(refresh_token), live)
  const page = (await assistant.browser.get('/connections')).body
  t.equal(page.match(/It expired/g)?.length, 2)
  const forms = [code, refresh_token].map(token => `/connections/${token.split('_')[2]}/revoke`)
  t.strictSame(hiddenFields(page, forms[0] ?? ''), {}, 'there is nothing left to end')
  t.ok(hiddenFields(page, forms[1] ?? '')._csrf)
  clock.now += 90 * DAY
  t.match(await shown(refresh_token), over, 'and a refresh token that was not used')
})
