// Token requests without an answer although the store had consumed their code or refresh token (issue 53).
import t, { type Test } from 'tap'
import { RedisGrantStore } from '../../../domain/oauth/stores/grant.redis.js'
import { SqlGrantStore } from '../../../domain/oauth/stores/grant.sql.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { build, dataDir, postgresUrl, redisUrl, testClock } from '../../helper.js'
import { TEMPLATE } from '../../postgres-server.js'
import type { Response } from '../pages/browser.js'
import { Assistant, assistantOf } from './assistant.js'

/** Where grants are kept. */
const STORES: Record<string, (t: Test) => Promise<Record<string, string>>> = {
  sqlite: async () => ({}),
  redis: async () => ({ REDIS_URL: await redisUrl() }),
  postgres: async t => ({ DATABASE_URL: await postgresUrl(t, TEMPLATE) }),
}

type Call = (...args: unknown[]) => Promise<unknown>

/** Lets a store do its work and then fail. @returns a function that ends this */
function loseReplies(store: object, name: string): () => void {
  const methods = store as Record<string, Call>
  const method = methods[name] as Call
  methods[name] = async function (...args: unknown[]) {
    await method.apply(this, args)
    throw new Unavailable('the reply was lost')
  }
  return () => {
    methods[name] = method
  }
}

/** A service with an assistant, whose stores can fail after a write. */
async function open(t: Test, env: Record<string, string>) {
  const clock = testClock(Date.now())
  const app = await build(t, { env, clock, setUp: 'embedded' })
  const { assistant } = await assistantOf(app)
  /** Sends while the stores carry out everything and their replies are lost. */
  const unanswered = async (send: () => Promise<Response>) => {
    const store = app.redis ? RedisGrantStore.prototype : SqlGrantStore.prototype
    const restore = ['rotate', 'redeem'].map(name => loseReplies(store, name))
    t.match(await send(), { statusCode: 503, headers: { 'retry-after': '2' } })
    for (const one of restore) one()
  }
  return { app, assistant, clock, unanswered }
}

const REFUSED = { error: 'invalid_grant' }

for (const [name, stores] of Object.entries(STORES))
  t.test(name, async t => {
    const env = { DATA_DIR: dataDir(t), ...(await stores(t)) }

    t.test(
      'T16 a refresh that was answered with 503 is repeated once, then its token is used up',
      async t => {
        const { assistant, unanswered, clock } = await open(t, { DATA_DIR: dataDir(t), ...(await stores(t)) })
        const { refresh_token, access_token } = await assistant.connect()
        await unanswered(() => assistant.refresh(refresh_token))
        const again = await assistant.refresh(refresh_token)
        t.equal(again.statusCode, 200)
        const next = again.json()
        t.not(next.access_token, access_token)
        t.ok(await assistant.works(next.access_token))
        t.match((await assistant.refresh(refresh_token)).json(), REFUSED, 'it has been answered')
        clock.now += 5000
        t.match((await assistant.refresh(refresh_token)).json(), REFUSED, 'and remains so')
        t.equal((await assistant.refresh(next.refresh_token)).statusCode, 200)
      },
    )

    t.test('T12 so is a code', async t => {
      const { assistant, unanswered } = await open(t, { DATA_DIR: dataDir(t), ...(await stores(t)) })
      const code = await assistant.code()
      await unanswered(() => assistant.redeem(code))
      const { access_token, refresh_token } = (await assistant.redeem(code)).json()
      t.ok(await assistant.works(access_token))
      t.match((await assistant.redeem(code)).json(), REFUSED)
      t.equal((await assistant.refresh(refresh_token)).statusCode, 200)
    })

    t.test('T16 not after a minute, and not once the successor was used', async t => {
      const { assistant, unanswered, clock } = await open(t, { DATA_DIR: dataDir(t), ...(await stores(t)) })
      const first = await assistant.connect()
      await unanswered(() => assistant.refresh(first.refresh_token))
      const { refresh_token } = (await assistant.refresh(first.refresh_token)).json()
      await unanswered(() => assistant.refresh(refresh_token))
      const next = (await assistant.refresh(refresh_token)).json()
      t.equal((await assistant.refresh(next.refresh_token)).statusCode, 200)
      t.match((await assistant.refresh(refresh_token)).json(), REFUSED, 'its successor was used')
      const second = await assistant.connect()
      await unanswered(() => assistant.refresh(second.refresh_token))
      clock.now += 60_000
      t.match((await assistant.refresh(second.refresh_token)).json(), REFUSED, 'after a minute')
    })

    t.test('T16 so is one whose process was killed, by another that cannot know', async t => {
      const { app, assistant, unanswered, clock } = await open(t, env)
      const { refresh_token } = await assistant.connect()
      const answered = await assistant.connect()
      const code = await assistant.code()
      t.equal((await assistant.refresh(answered.refresh_token)).statusCode, 200)
      await unanswered(() => assistant.refresh(refresh_token))
      await unanswered(() => assistant.redeem(code))
      await app.close()
      const later = testClock(clock.now + 999)
      const other = new Assistant(await build(t, { env, clock: later, setUp: 'embedded' }))
      other.clientId = assistant.clientId
      const send = [() => other.refresh(refresh_token), () => other.redeem(code)]
      for (const one of send) t.match((await one()).json(), REFUSED, 'the answer may be under way')
      later.now++
      for (const one of send) {
        const { access_token } = (await one()).json()
        t.ok(await other.works(access_token))
        t.match((await one()).json(), REFUSED, 'once')
      }
      t.match((await other.refresh(answered.refresh_token)).json(), REFUSED, 'not what was answered')
    })
  })
