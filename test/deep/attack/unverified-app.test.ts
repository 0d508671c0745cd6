import t from 'tap'
import { open } from '../../integration/pages/open.js'

const MARK = '<span class="tag warn">unverified</span>'

t.test('an app that only calls itself Claude is marked on the page of its connection (ADR 53)', async t => {
  const { app, browser, id } = await open(t)
  const { connectionId } = await app.oauth.issueTokens(id, { clientName: 'Claude' })
  const marked = async () => (await browser.get(`/connections/${connectionId}`)).body.includes(MARK)
  t.ok(await marked())
  await app.database.write(trx => trx.updateTable('connections').set({ client_verified: 1 }).execute())
  t.notOk(await marked(), 'a verified app is not')
})
