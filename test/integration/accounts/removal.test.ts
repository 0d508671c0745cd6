import t from 'tap'
import { build } from '../../helper.js'

const PASSWORD = 'a password for the tests'

t.test('removing an account ends its connections and removes what it alone owned', async t => {
  const app = await build(t)
  await app.accounts.add('admin@safes.example', PASSWORD)
  const leaving = await app.accounts.add('leaving@safes.example', PASSWORD)
  const other = await app.accounts.add('other@safes.example', PASSWORD)
  const own = await app.safes.create(leaving.id, 'Own')
  const shared = await app.safes.create(leaving.id, 'Shared')
  await app.safes.members.share(leaving.id, own.id, other.id, 'reader')
  await app.safes.members.share(leaving.id, shared.id, other.id, 'owner')
  const { accessToken } = await app.oauth.issueTokens(leaving.id, { clientName: 'script' })
  t.ok(await app.oauth.authenticate(accessToken, null))

  await app.accounts.remove(leaving.id)
  t.equal(await app.oauth.authenticate(accessToken, null), null)
  t.same(
    (await app.safes.readableBy(other.id)).map(safe => safe.id),
    [shared.id],
  )
})
