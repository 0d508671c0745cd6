import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { allowedSafes } from '../../../domain/oauth/connections/access.js'
import { createIssueTokens } from '../../../domain/oauth/connections/issue-tokens.js'
import { ConnectionStore } from '../../../domain/oauth/stores/connection.sql.js'
import { SqlGrantStore } from '../../../domain/oauth/stores/grant.sql.js'
import { tokenFormat } from '../../../domain/oauth/token/token.js'
import { random } from '../../../platform/common/secrets.js'
import { testClock } from '../../helper.js'
import { noActivity } from '../../no-activity.js'
import { buildService } from '../mcp/service.js'

type Meanwhile = (app: FastifyInstance, accountId: string, connectionId: string) => Promise<unknown>

const meanwhile: [what: string, happens: Meanwhile][] = [
  ['its user ends', (app, ann) => app.oauth.connections.revokeAll(ann)],
  ['goes with its account', (app, _ann, id) => new ConnectionStore(app.database).forget([id])],
]
for (const [what, happens] of meanwhile)
  t.test(`V3 a connection that ${what} while it begins does not work`, async t => {
    const { app, ann } = await buildService(t)
    const grants = new SqlGrantStore(app.database)
    const beginWithToken: typeof grants.beginWithToken = async (connectionId, ...more) => {
      await happens(app, ann, connectionId)
      await grants.beginWithToken(connectionId, ...more)
    }
    const connections = new ConnectionStore(app.database)
    const stores = {
      ...noActivity,
      connections,
      grants: Object.assign(new SqlGrantStore(app.database), { beginWithToken }),
    }
    const issue = createIssueTokens(stores, tokenFormat('svc', app.keyFor, random), Date.now, random)
    const { accessToken } = await issue(ann, { clientName: 'script' })
    t.equal(await app.oauth.authenticate(accessToken, null), null)
    t.ok((await app.oauth.connections.listFor(ann)).every(({ ended }) => ended))
  })

t.test('issued tokens', async t => {
  const clock = testClock(Date.now())
  const { app, ann, bob } = await buildService(t, { clock })

  t.test('SPEC §8 an issued token is valid for one hour', async t => {
    const { accessToken, connectionId } = await app.oauth.issueTokens(ann, { clientName: 'script' })
    t.match(accessToken, /^svc_at_[0-9A-Za-z]{22}_[0-9A-Za-z]{43}$/)
    const access = await app.oauth.authenticate(accessToken, null)
    t.match(access, { accountId: ann, connectionId, resource: 'user', tokenScope: ['vault:read'] })
    const shown = { id: connectionId, clientId: 'cli', clientName: 'script', standing: 'unverified' }
    t.match(await app.oauth.connections.listFor(ann), [
      { ...shown, chosenSafeIds: { length: 0 }, redirectHost: '' },
    ])
    clock.now += 3_600_000
    t.equal(await app.oauth.authenticate(accessToken, null), null)
  })

  t.test('a longer lifetime is requested in whole days, at most 90', async t => {
    const { accessToken } = await app.oauth.issueTokens(ann, {
      clientName: 'script',
      days: 90,
      safeId: 's',
    })
    clock.now += 89 * 24 * 3_600_000
    const access = await app.oauth.authenticate(accessToken, null)
    t.strictSame(access && allowedSafes(access), ['s'])
    t.match(access, { resource: 'safe:s', resourceSent: true, onlyChosenSafe: false })
    t.ok(await app.oauth.issueTokens(ann, { clientName: 'script', days: 1 }))
    const refused = { code: 'invalid_days', message: /1 to 90 days/ }
    for (const days of [0, 91, 1.5]) {
      await t.rejects(app.oauth.issueTokens(ann, { clientName: 'script', days }), refused)
    }
  })

  t.test('a connection is ended by its own account only, and says why', async t => {
    const { accessToken, connectionId } = await app.oauth.issueTokens(bob, { clientName: 'script' })
    const unknown = { status: 404, code: 'not_found', message: /no such connection/ }
    await t.rejects(app.oauth.connections.revoke(ann, connectionId), unknown)
    t.ok(await app.oauth.authenticate(accessToken, null))
    await app.oauth.connections.revoke(bob, connectionId)
    t.equal(await app.oauth.authenticate(accessToken, null), null)
    t.match(await app.oauth.connections.listFor(bob), [{ revokedAt: clock(), revokedReason: /\w/ }])
    const second = await app.oauth.issueTokens(bob, { clientName: 'script' })
    await app.oauth.connections.revokeAll(bob)
    t.equal(await app.oauth.authenticate(second.accessToken, null), null)
  })
})
