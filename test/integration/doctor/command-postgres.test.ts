import t from 'tap'
import { doctorTexts } from '../../../domain/doctor/texts.js'
import { postgresUrl } from '../../helper.js'
import { TEMPLATE } from '../../postgres-server.js'
import { startRedis } from '../redis/servers.js'
import { healthy } from './healthy.js'

const m = doctorTexts

t.test('a healthy set-up has no finding: Postgres and Redis', async t => {
  const redis = await startRedis(t, '--appendonly', 'yes')
  const { doctor } = await healthy(t, { DATABASE_URL: await postgresUrl(t, TEMPLATE), REDIS_URL: redis.url })
  const { code, stdout, stderr } = await doctor()
  t.strictSame({ code, stderr }, { code: 0, stderr: `${m.noProblems}\n` }, stdout)
})
