import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { Grant } from '../../../domain/oauth/connections/access.js'
import { RedisGrantStore } from '../../../domain/oauth/stores/grant.redis.js'
import { SqlGrantStore } from '../../../domain/oauth/stores/grant.sql.js'
import type { GrantStore, Redemption, Rotation } from '../../../domain/oauth/stores/types.js'
import { newId } from '../../../platform/common/secrets.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { databaseLocation, redisUrl } from '../../helper.js'

const now = Date.now()
const HOUR = 3_600_000
const client = { protocolVersion: '2025-03-26', showsApps: false }
const grant: Grant = {
  accountId: 'account',
  clientId: 'client',
  scope: ['vault:read', 'vault:write'],
  resource: 'user',
  resourceSent: true,
  chosenSafeIds: ['first'],
  onlyChosenSafe: false,
}
const code = {
  hash: 'code',
  redirectUri: 'https://a.example/cb',
  challenge: 'right',
  expiresAt: now + 600_000,
}

/** New tokens for a further attempt; every attempt has its own. */
const later = { refresh: { hash: 'refresh-later', expiresAt: now + 2160 * HOUR } }

const NEVER = { fromMs: 0, untilMs: 0 }

const redemption = (connectionId: string, changes: Partial<Redemption> = {}): Redemption => ({
  connectionId,
  codeHash: 'code',
  clientId: 'client',
  redirectUri: code.redirectUri,
  challenge: 'right',
  resource: null,
  now,
  access: { hash: 'access-1', expiresAt: now + HOUR },
  refresh: { hash: 'refresh-1', expiresAt: now + 2160 * HOUR },
  seed: 'seed-1',
  repeat: NEVER,
  ...changes,
})

const rotation = (connectionId: string, changes: Partial<Rotation> = {}): Rotation => ({
  connectionId,
  presented: { hash: 'refresh-1', generation: 1 },
  clientId: 'client',
  resource: null,
  scope: null,
  now,
  access: { hash: 'access-2', expiresAt: now + HOUR },
  refresh: { hash: 'refresh-2', expiresAt: now + 2160 * HOUR },
  seed: 'seed-2',
  repeat: NEVER,
  ...changes,
})

async function sqlStore(t: Test, over: 'sqlite' | 'postgres'): Promise<GrantStore> {
  const database = await openDatabase({ ...(await databaseLocation(t, over)), role: 'server' })
  t.teardown(() => database.close())
  return new SqlGrantStore(database)
}

async function redisStore(t: Test): Promise<GrantStore> {
  const redis = new Redis(await redisUrl(), { enableAutoPipelining: true })
  t.teardown(() => redis.disconnect())
  return new RedisGrantStore(redis)
}

const stores = {
  sql: (t: Test) => sqlStore(t, 'sqlite'),
  postgres: (t: Test) => sqlStore(t, 'postgres'),
  redis: redisStore,
}

for (const [name, open] of Object.entries(stores)) {
  t.test(name, async t => {
    const store = await open(t)
    const withCode = async () => {
      const id = newId()
      await store.beginWithCode(id, grant, code, now)
      return id
    }
    const redeemed = async () => {
      const id = await withCode()
      await store.redeem(redemption(id))
      return id
    }
    const works = async (id: string, hash: string, at = now) =>
      (await store.findAccess(id, hash, null, at)) !== null

    t.test('a code is redeemed once, and its token carries the grant', async t => {
      const id = await withCode()
      t.strictSame(await store.redeem(redemption(id)), { outcome: 'redeemed', grant })
      t.strictSame(await store.findAccess(id, 'access-1', null, now), {
        grant,
        tokenScope: grant.scope,
        selectedSafeId: 'first',
        session: null,
      })
      t.strictSame(await store.redeem(redemption(id, later)), { outcome: 'used' })
      t.ok(await works(id, 'access-1'), 'a repeat soon after ends nothing')
    })

    t.test('T8, T10 a failed redemption says why, writes nothing and leaves the code good', async t => {
      const attempts: [Partial<Redemption>, string][] = [
        [{ codeHash: 'other' }, 'unknown'],
        [{ clientId: 'other' }, 'other-client'],
        [{ challenge: 'wrong' }, 'wrong-verifier'],
        [{ redirectUri: 'https://a.example/cb/' }, 'wrong-redirect-uri'],
        [{ resource: 'safe:first' }, 'wrong-resource'],
        [{ now: code.expiresAt }, 'expired'],
      ]
      const id = await withCode()
      for (const [changes, outcome] of attempts) {
        t.strictSame(await store.redeem(redemption(id, changes)), { outcome })
        t.notOk(await works(id, 'access-1'), `${outcome} stored no token`)
      }
      t.match(await store.redeem(redemption(newId())), { outcome: 'unknown' })
      t.match(await store.redeem(redemption(id, { resource: 'user' })), { outcome: 'redeemed' })
    })

    /** Of 8 attempts at once, each with tokens of its own, one succeeds, and its token works. @returns its number */
    const oneWins = async (
      t: Test,
      id: string,
      won: string,
      attempt: (tokens: Pick<Redemption, 'access' | 'refresh'>) => Promise<{ outcome: string }>,
    ) => {
      const tokens = Array.from({ length: 8 }, (_, i) => ({
        access: { hash: `next-${i}`, expiresAt: now + HOUR },
        refresh: { hash: `refresh-next-${i}`, expiresAt: now + 2160 * HOUR },
      }))
      const outcomes = (await Promise.all(tokens.map(attempt))).map(({ outcome }) => outcome)
      t.equal(outcomes.filter(outcome => outcome === won).length, 1, `${outcomes}`)
      const winner = outcomes.indexOf(won)
      for (const i of tokens.keys()) t.equal(await works(id, `next-${i}`), i === winner)
      return winner
    }

    t.test('T11 of 8 parallel redemptions exactly one succeeds', async t => {
      const id = await withCode()
      await oneWins(t, id, 'redeemed', tokens => store.redeem(redemption(id, tokens)))
    })

    t.test('T12 a used code ends the connection only late, with the right client and verifier', async t => {
      const id = await redeemed()
      const late = { ...later, now: now + 10_000 }
      t.match(await store.redeem(redemption(id, { ...late, clientId: 'other' })), { outcome: 'other-client' })
      t.match(await store.redeem(redemption(id, { ...late, challenge: 'wrong' })), {
        outcome: 'wrong-verifier',
      })
      t.match(await store.redeem(redemption(id, { ...later, now: now + 9_999 })), { outcome: 'used' })
      t.ok(await works(id, 'access-1'))
      t.match(await store.redeem(redemption(id, late)), { outcome: 'replayed' })
      t.notOk(await works(id, 'access-1'))
      t.match(await store.rotate(rotation(id)), { outcome: 'unknown' })
      const afterItsOwnTime = redemption(await redeemed(), { ...later, now: code.expiresAt })
      t.match(await store.redeem(afterItsOwnTime), { outcome: 'replayed' })
    })

    t.test('T16 a rotation replaces the refresh token and keeps the selection', async t => {
      const id = await redeemed()
      await store.select(id, 'second', null, now)
      t.strictSame(await store.rotate(rotation(id)), { outcome: 'rotated', grant })
      t.match(await store.findAccess(id, 'access-2', null, now), { selectedSafeId: 'second' })
      const next = {
        presented: { hash: 'refresh-2', generation: 2 },
        access: { hash: 'access-3', expiresAt: now + 1 },
      }
      t.match(await store.rotate(rotation(id, next)), { outcome: 'rotated' })
    })

    t.test('T14, T15 a failed refresh says why, writes nothing and leaves the token good', async t => {
      const attempts: [Partial<Rotation>, string][] = [
        [{ clientId: 'other' }, 'other-client'],
        [{ presented: { hash: 'wrong', generation: 1 } }, 'unknown'],
        [{ presented: { hash: 'refresh-1', generation: 2 } }, 'unknown'],
        [{ resource: 'safe:first' }, 'wrong-resource'],
        [{ scope: ['vault:read', 'vault:other'] }, 'wrong-scope'],
        [{ scope: ['vault:rea'] }, 'wrong-scope'],
        [{ now: now + 2160 * HOUR }, 'expired'],
      ]
      const id = await redeemed()
      for (const [changes, outcome] of attempts) {
        t.strictSame(await store.rotate(rotation(id, changes)), { outcome })
        t.notOk(await works(id, 'access-2'), `${outcome} stored no token`)
      }
      const narrower: Partial<Rotation> = { scope: ['vault:read'], resource: 'user' }
      t.match(await store.rotate(rotation(id, narrower)), { outcome: 'rotated' })
      t.match(await store.findAccess(id, 'access-2', null, now), { tokenScope: ['vault:read'] })
      t.match(await store.rotate(rotation(await redeemed(), { scope: [] })), { outcome: 'rotated' })
    })

    t.test('T16 of 8 parallel refreshes exactly one succeeds, and its token works', async t => {
      const id = await redeemed()
      const winner = await oneWins(t, id, 'rotated', tokens => store.rotate(rotation(id, tokens)))
      const next = { presented: { hash: `refresh-next-${winner}`, generation: 2 } }
      t.match(await store.rotate(rotation(id, next)), { outcome: 'rotated' })
    })

    t.test('T16 a used refresh token is refused for 10 s, then ends the connection', async t => {
      const id = await redeemed()
      await store.rotate(rotation(id))
      t.strictSame(await store.rotate(rotation(id, { ...later, now: now + 9_999 })), { outcome: 'raced' })
      t.ok(await works(id, 'access-2'))
      t.strictSame(await store.rotate(rotation(id, { ...later, now: now + 10_000 })), { outcome: 'reused' })
      t.notOk(await works(id, 'access-2'))
      t.equal(await store.find(id), null)
    })

    t.test('T16 so is an older refresh token, because it may have been used as recently', async t => {
      const id = await redeemed()
      await store.rotate(rotation(id))
      const next = { hash: 'refresh-3', expiresAt: now + HOUR }
      const newest = { presented: { hash: 'refresh-2', generation: 2 }, refresh: next }
      await store.rotate(rotation(id, { ...newest, access: { ...next, hash: 'access-3' } }))
      t.strictSame(await store.rotate(rotation(id)), { outcome: 'raced' })
      t.strictSame(await store.rotate(rotation(id, { clientId: 'other' })), { outcome: 'other-client' })
      t.ok(await works(id, 'access-3'))
      t.strictSame(await store.rotate(rotation(id, { ...later, now: now + 10_000 })), { outcome: 'reused' })
      t.equal(await store.find(id), null)
    })

    t.test('T16 within its window a repeat gets the seed of the pair, outside it is a reuse', async t => {
      const window = { repeat: { fromMs: 1000, untilMs: 30_000 } }
      const id = await redeemed()
      await store.rotate(rotation(id, window))
      const repeat = { ...window, ...later, seed: 'another', now: now + 29_000 }
      const repeated = { outcome: 'repeated', grant, seed: 'seed-2', scope: grant.scope, issuedAt: now }
      t.strictSame(await store.rotate(rotation(id, repeat)), repeated)
      t.strictSame(await store.rotate(rotation(id, { ...repeat, now: now + 999 })), { outcome: 'raced' })
      t.strictSame(await store.rotate(rotation(id, { ...repeat, now: now + 1000 })), repeated)
      t.match(await store.rotate(rotation(id, { ...repeat, clientId: 'other' })), { outcome: 'other-client' })
      const more = { ...repeat, scope: ['vault:read', 'vault:all'] }
      t.strictSame(await store.rotate(rotation(id, more)), { outcome: 'wrong-scope' })
      const elsewhere = { ...repeat, resource: 'safe:other' as const }
      t.strictSame(await store.rotate(rotation(id, elsewhere)), { outcome: 'wrong-resource' })
      t.match(await store.rotate(rotation(id, later)), { outcome: 'raced' })
      t.strictSame(await store.rotate(rotation(id, { ...repeat, now: now + 30_000 })), { outcome: 'reused' })
    })

    t.test('T12, T16 a pair that was sent, or whose refresh token was used, is not repeated', async t => {
      const window = { repeat: { fromMs: 0, untilMs: 60_000 } }
      const id = await withCode()
      await store.redeem(redemption(id, window))
      t.match(await store.redeem(redemption(id, { ...window, ...later, seed: 'other' })), {
        outcome: 'repeated',
        seed: 'seed-1',
      })
      t.match(await store.redeem(redemption(id, { ...window, ...later, challenge: 'wrong' })), {
        outcome: 'wrong-verifier',
      })
      await store.rotate(rotation(id, window))
      t.match(await store.redeem(redemption(id, { ...window, ...later })), { outcome: 'used' })
      await store.settle([{ connectionId: id, refreshHash: 'refresh-1', generation: 1 }])
      t.match(
        await store.rotate(rotation(id, { ...window, ...later })),
        { outcome: 'repeated' },
        'the newer one',
      )
      const [other, newer] = [await redeemed(), await redeemed()]
      await store.rotate(rotation(other, window))
      await store.rotate(
        rotation(newer, { ...window, refresh: { ...rotation(newer).refresh, hash: 'newer' } }),
      )
      await store.settle([
        { connectionId: id, refreshHash: 'refresh-2', generation: 2 },
        { connectionId: newer, refreshHash: 'refresh-1', generation: 1 },
        { connectionId: other, refreshHash: 'refresh-2', generation: 2 },
        { connectionId: newId(), refreshHash: 'refresh-2', generation: 2 },
      ])
      for (const [one, outcome] of [
        [id, 'raced'],
        [other, 'raced'],
        [newer, 'repeated'],
      ] as const)
        t.match(await store.rotate(rotation(one, { ...window, ...later })), { outcome })
      t.ok(await works(id, 'access-2'))
    })

    t.test('V3 a revocation that races refreshes leaves nothing working', async t => {
      const id = await redeemed()
      await Promise.all([store.rotate(rotation(id)), store.revoke(id), store.rotate(rotation(id))])
      t.equal(await store.find(id), null)
      for (const hash of ['access-1', 'access-2']) t.notOk(await works(id, hash))
      const next = { presented: { hash: 'refresh-2', generation: 2 } }
      t.match(await store.rotate(rotation(id, next)), { outcome: 'unknown' })
    })

    t.test('V2 one access token can be revoked alone', async t => {
      const id = await redeemed()
      await store.rotate(rotation(id))
      await store.revokeAccessToken(id, 'access-1')
      t.notOk(await works(id, 'access-1'))
      t.ok(await works(id, 'access-2'))
    })

    t.test('P4 an access token ends at its expiry, and is good for its own connection only', async t => {
      const id = await redeemed()
      t.ok(await works(id, 'access-1', now + HOUR - 1))
      t.notOk(await works(id, 'access-1', now + HOUR))
      const other = await withCode()
      t.notOk(await works(other, 'access-1'))
      t.notOk(await works(id, 'unknown'))
    })

    t.test('SPEC §8 a connection lives as long as its code, refresh token or issued token', async t => {
      const [waiting, used, issued] = [await withCode(), await redeemed(), newId()]
      await store.beginWithToken(issued, grant, { hash: 'direct', expiresAt: now + HOUR }, now)
      const active = async (at: number) => [...(await store.findActive([waiting, used, issued, newId()], at))]
      t.strictSame((await active(code.expiresAt - 1)).sort(), [waiting, used, issued].sort())
      t.strictSame((await active(code.expiresAt)).sort(), [used, issued].sort())
      t.strictSame(await active(now + HOUR), [used])
      t.strictSame(await active(now + 2160 * HOUR - 1), [used])
      t.strictSame(await active(now + 2160 * HOUR), [])
      await store.rotate(rotation(used, { refresh: { hash: 'later', expiresAt: now + 3000 * HOUR } }))
      t.strictSame(await active(now + 2160 * HOUR), [used])
      await store.revoke(used)
      t.strictSame(await active(now + HOUR), [])
      t.strictSame(await store.findActive([], now), new Set())
    })

    t.test('X6 of more than 100 sessions of a connection the one unused for longest goes', async t => {
      const id = await redeemed()
      const [first, second, ...more] = Array.from({ length: 100 }, (_, i) => `session-${i}`)
      const open = (hash: string, expiresAt: number) =>
        store.openSession(id, { hash, ...client, selectedSafeId: null, expiresAt }, now)
      const lives = async (hash = '') => (await store.findAccess(id, 'access-1', hash, now))?.session !== null
      for (const [i, hash] of [first, second, ...more].entries()) await open(hash ?? '', now + HOUR + i)
      t.ok(await lives(first), '100 are fine')
      await store.select(id, 'second', { hash: first ?? '', expiresAt: now + 2 * HOUR }, now)
      await open('one more', now + 2 * HOUR)
      t.strictSame([await lives(first), await lives(second), await lives('one more')], [true, false, true])
      await store.endSession(id, 'one more')
      await open('instead', now + 2 * HOUR)
      t.ok(await lives(more[0]), 'one that ended makes room')

      const burst = Array.from({ length: 120 }, (_, i) => `burst-${i}`)
      // Few at once: Postgres makes them wait for each other, for a few seconds at most.
      for (let at = 0; at < 120; at += 5)
        await Promise.all(burst.slice(at, at + 5).map(hash => open(hash, now + 3 * HOUR)))
      const active = await Promise.all(burst.map(lives))
      t.equal(active.filter(Boolean).length, 100)
      t.notOk(await lives(first))
      const other = await redeemed()
      const session = { ...client, selectedSafeId: null, expiresAt: now + HOUR }
      await store.openSession(other, { hash: 'other', ...session }, now)
      t.equal((await Promise.all(burst.map(lives))).filter(Boolean).length, 100, 'each counts for itself')
    })

    t.test('a grant is changed in place; tokens, selection and later refreshes follow', async t => {
      const id = await redeemed()
      const narrow = (before: Grant): Grant => ({
        ...before,
        scope: ['vault:read'],
        withdrawnScope: ['vault:write'],
      })
      const narrowed = narrow(grant)
      t.strictSame(await store.change(id, narrow), narrowed)
      t.strictSame(await store.find(id), narrowed)
      t.match(await store.findAccess(id, 'access-1', null, now), { grant: narrowed, selectedSafeId: 'first' })
      const asking = { scope: ['vault:read', 'vault:write'] }
      t.match(await store.rotate(rotation(id, { scope: ['vault:write'] })), { outcome: 'wrong-scope' })
      t.match(await store.rotate(rotation(id, { scope: ['other'] })), { outcome: 'wrong-scope' })
      t.strictSame(await store.rotate(rotation(id, asking)), { outcome: 'rotated', grant: narrowed })
      await t.rejects(
        store.change(id, () => {
          throw new Error('no')
        }),
        { message: 'no' },
      )
      t.strictSame(await store.find(id), narrowed, 'a change that throws changes nothing')
      await store.revoke(id)
      t.equal(await store.change(id, narrow), null)
      t.equal(await store.find(id), null, 'a connection that has ended stays ended')
    })

    t.test('of parallel changes of one grant none is lost', async t => {
      const id = await redeemed()
      const add = (safe: string) => (before: Grant) => ({
        ...before,
        chosenSafeIds: [...before.chosenSafeIds, safe],
      })
      await Promise.all(['a', 'b', 'c', 'd', 'e'].map(safe => store.change(id, add(safe))))
      const chosen = (await store.find(id))?.chosenSafeIds ?? []
      t.strictSame([...chosen].sort(), ['a', 'b', 'c', 'd', 'e', 'first'])
    })

    t.test('a directly issued token works until it expires and is never renewed', async t => {
      const id = newId()
      await store.beginWithToken(id, grant, { hash: 'direct', expiresAt: now + HOUR }, now)
      t.match(await store.findAccess(id, 'direct', null, now), { grant, selectedSafeId: 'first' })
      t.match(await store.rotate(rotation(id)), { outcome: 'unknown' })
      t.match(await store.redeem(redemption(id)), { outcome: 'unknown' })
    })

    t.test('DESIGN §5.3 a session keeps its own selection; selecting sets both', async t => {
      const id = await redeemed()
      const session = (hash: string, selectedSafeId: string | null) => ({
        hash,
        protocolVersion: '2025-03-26',
        showsApps: hash === 'one',
        selectedSafeId,
        expiresAt: now + HOUR,
      })
      await store.openSession(id, session('one', 'first'), now)
      await store.openSession(id, session('two', null), now)
      await store.select(id, 'second', { hash: 'one', expiresAt: now + 2 * HOUR }, now)
      t.match(await store.findAccess(id, 'access-1', 'one', now), {
        selectedSafeId: 'second',
        session: { protocolVersion: '2025-03-26', selectedSafeId: 'second', showsApps: true },
      })
      t.match(await store.findAccess(id, 'access-1', 'two', now), {
        session: { selectedSafeId: null, showsApps: false },
      })
      await store.endSession(id, 'two')
      t.match(await store.findAccess(id, 'access-1', 'two', now), { session: null })
      await store.select(id, 'third', { hash: 'two', expiresAt: now + HOUR }, now)
      t.match(await store.findAccess(id, 'access-1', 'two', now), { selectedSafeId: 'third', session: null })
      const other = await redeemed()
      t.match(await store.findAccess(other, 'access-1', 'one', now), { session: null }, 'P10')
    })

    t.test('selecting a Safe on an ended connection does not revive it', async t => {
      const id = await redeemed()
      await store.revoke(id)
      await store.select(id, 'second', null, now)
      t.equal(await store.findAccess(id, 'access-1', null, now), null)
    })
  })
}

t.test('DESIGN §4 every Redis key has a TTL and the hash tag of its connection', async t => {
  const redis = new Redis(await redisUrl())
  t.teardown(() => redis.disconnect())
  const store = new RedisGrantStore(redis)
  const id = newId()
  await store.beginWithCode(id, grant, code, now)
  await store.redeem(redemption(id))
  await store.rotate(rotation(id))
  await store.openSession(id, { hash: 'one', ...client, selectedSafeId: null, expiresAt: now + HOUR }, now)
  await store.select(id, 'second', { hash: 'one', expiresAt: now + HOUR }, now)
  const keys = await redis.keys('*')
  t.equal(keys.length, 7)
  for (const key of keys) {
    t.ok((await redis.pttl(key)) > 0, `${key} has a TTL`)
    t.ok(key.startsWith(`oauth:{${id}}:`))
  }
})
