import t, { type Test } from 'tap'
import { random } from '../../../common/secrets.js'
import { createIssueTokens } from '../../../oauth/connections/connection.js'
import { ConnectionStore } from '../../../oauth/stores/connection.sql.js'
import { sqlGrantStore } from '../../../oauth/stores/grant.sql.js'
import { tokenFormat } from '../../../oauth/token/token.js'
import { build, testClock } from '../../helper.js'
import { noActivity } from '../../no-activity.js'

async function start(t: Test) {
  const clock = testClock(1_000_000)
  const app = await build(t, { clock })
  const { id: ann } = await app.accounts.add('ann@a.example', 'a password for the tests', 'member')
  const { connections } = app.oauth
  const issue = (clientName: string, options = {}) => {
    clock.now += 1000
    return app.oauth.issueTokens(ann, { clientName, ...options })
  }
  return { app, ann, connections, issue, clock }
}

t.test('a search finds connections in the whole list, page by page', async t => {
  const { ann, connections, issue } = await start(t)
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

t.test('a connection whose account is removed while it begins does not work', async t => {
  const { app, ann } = await start(t)
  const connections = new ConnectionStore(app.database)
  const grants = sqlGrantStore(app.database)
  const beginWithToken: typeof grants.beginWithToken = async (connectionId, ...more) => {
    await connections.forget([connectionId])
    await grants.beginWithToken(connectionId, ...more)
  }
  const stores = { ...noActivity, connections, grants: { ...grants, beginWithToken } }
  const issue = createIssueTokens(stores, tokenFormat('svc', app.keyFor, random), Date.now, random)
  const { accessToken } = await issue(ann, { clientName: 'script' })
  t.equal(await app.oauth.authenticate(accessToken, null), null)
})
