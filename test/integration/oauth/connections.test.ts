import t from 'tap'
import { testClock } from '../../helper.js'
import { buildService } from '../mcp/service.js'
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
  t.equal(page.match(/It expired/g)?.length, 1, 'the code is of an app that goes on')
  const forms = [code, refresh_token].map(token => `/connections/${token.split('_')[2]}/revoke`)
  t.strictSame(hiddenFields(page, forms[0] ?? ''), {}, 'there is nothing left to end')
  t.ok(hiddenFields(page, forms[1] ?? '')._csrf)
  clock.now += 90 * DAY
  t.match(await shown(refresh_token), over, 'and a refresh token that was not used')
})

t.test('a search finds connections in the whole list, page by page', async t => {
  const clock = testClock(1_000_000)
  const { app, ann } = await buildService(t, { clock })
  const { connections } = app.oauth
  const issue = (clientName: string) => {
    clock.now += 1000
    return app.oauth.issueTokens(ann, { clientName })
  }
  const ids: string[] = []
  for (let i = 0; i < 210; i++) ids.push((await issue(i % 70 === 0 ? `Résumé ${i}` : 'App')).connectionId)
  const found = async (page: object) =>
    (await connections.listFor(ann, page)).map(({ clientName }) => clientName)
  t.strictSame(await found({ search: 'RÉSUMÉ' }), ['Résumé 140', 'Résumé 70', 'Résumé 0'])
  t.strictSame(await found({ search: 'résumé', limit: 2 }), ['Résumé 140', 'Résumé 70'])
  t.strictSame(await found({ search: 'résumé', after: ids[70] }), ['Résumé 0'])
  t.equal((await found({ search: 'app' })).length, 100, 'a page has 100 by default')
  t.equal((await found({})).length, 100)
  t.strictSame(await found({ search: 'nothing' }), [])
  await connections.revoke(ann, ids[70] as string)
  t.strictSame(await found({ search: 'résumé', kind: 'ended' }), ['Résumé 70'])
})
