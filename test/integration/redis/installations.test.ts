import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t from 'tap'
import { makeBackup } from '../../../platform/storage/backup/make-backup.js'
import { restoreBackup } from '../../../platform/storage/backup/restore-backup.js'
import { build, dataDir, redisUrl } from '../../helper.js'
import { Assistant, assistantOf } from '../oauth/assistant.js'

t.test(
  'a copy of production on the same Redis accepts none of its tokens and sessions (issue 53)',
  async t => {
    const REDIS_URL = await redisUrl()
    const folder = dataDir(t)
    const { assistant } = await assistantOf(await build(t, { env: { DATA_DIR: folder, REDIS_URL } }))
    const { access_token, refresh_token } = await assistant.connect()
    const [file, copy] = [join(dataDir(t), 'backup.db'), dataDir(t)]
    mkdirSync(join(file, '..'), { recursive: true })
    await makeBackup({ dataDir: folder, databaseUrl: null }, file, Date.now())
    await restoreBackup(file, { dataDir: copy, databaseUrl: null }, { now: Date.now(), keepSignIns: true })
    const staging = await build(t, { env: { DATA_DIR: copy, REDIS_URL } })
    const there = new Assistant(staging)
    there.clientId = assistant.clientId
    t.notOk(await there.works(access_token))
    t.match((await there.refresh(refresh_token)).json(), { error: 'invalid_grant' })
    const cookies = Object.fromEntries(assistant.browser.cookies)
    const visit = (app: typeof staging) =>
      app.inject({ url: '/account', cookies, headers: { accept: 'text/html' } })
    t.equal((await visit(assistant.app)).statusCode, 200)
    t.equal((await visit(staging)).statusCode, 303, 'to the sign-in page')
    t.ok(await assistant.works(access_token), 'production goes on')
  },
)

t.test('keys of a version without ids are read once, after the update (issue 53)', async t => {
  const env = { DATA_DIR: dataDir(t), REDIS_URL: await redisUrl() }
  const redis = new Redis(env.REDIS_URL)
  t.teardown(() => redis.disconnect())
  const before = await assistantOf(await build(t, { env }))
  const { access_token } = await before.assistant.connect()
  await before.assistant.app.database.write(trx =>
    trx.deleteFrom('service_keys').where('name', '=', 'installation').execute(),
  )
  await before.assistant.app.close()
  for (const key of await redis.keys('*')) await redis.rename(key, key.slice(key.indexOf(':') + 1))
  const updated = await build(t, { env })
  t.ok(await updated.oauth.authenticate(access_token, null))
  await updated.close()
  for (const key of await redis.keys('*')) if (/^[0-9A-Za-z]{22}:/.test(key)) await redis.del(key)
  const again = await build(t, { env })
  t.equal(await again.oauth.authenticate(access_token, null), null, 'not a second time')
})
