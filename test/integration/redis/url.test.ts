import t from 'tap'
import { openRedis } from '../../../platform/storage/redis/redis-client.js'
import { parseRedisUrl } from '../../../platform/storage/redis/redis-url.js'
import { describeConfig } from '../../../plugins/config/describe.js'
import { loadConfig } from '../../../plugins/config.js'

const node = (host: string, port: number) => ({ host, port })
const standalone = { kind: 'standalone', db: 0, tls: false, primaryName: '' }
const sentinel = { ...standalone, kind: 'sentinel', primaryName: 'mymaster' }
const cluster = { ...standalone, kind: 'cluster' }

t.test('REDIS_URL names one server, sentinels, or a cluster', async t => {
  const good: Record<string, object> = {
    'redis://localhost': { ...standalone, nodes: [node('localhost', 6379)] },
    'rediss://r.example:6380/3': { ...standalone, nodes: [node('r.example', 6380)], tls: true, db: 3 },
    'redis://[::1]:6379': { ...standalone, nodes: [node('::1', 6379)] },
    'redis://:p%40ss@r.example': { ...standalone, nodes: [node('r.example', 6379)], password: 'p@ss' },
    'redis://me:a@b:c@r.example': {
      ...standalone,
      nodes: [node('r.example', 6379)],
      username: 'me',
      password: 'a@b:c',
    },
    'redis+sentinel://s1,s2:26380/mymaster': { ...sentinel, nodes: [node('s1', 26379), node('s2', 26380)] },
    'rediss+sentinel://:pw@s1/mymaster/2?sentinel_username=su&sentinel_password=s%26p': {
      ...sentinel,
      nodes: [node('s1', 26379)],
      tls: true,
      password: 'pw',
      db: 2,
      sentinelUsername: 'su',
      sentinelPassword: 's&p',
    },
    'redis+cluster://c1:7000,c2:7001': { ...cluster, nodes: [node('c1', 7000), node('c2', 7001)] },
    'rediss+cluster://c1/': { ...cluster, nodes: [node('c1', 6379)], tls: true },
  }
  for (const [url, address] of Object.entries(good)) t.strictSame(parseRedisUrl(url), address, url)
})

t.test('an invalid REDIS_URL stops the start with a reason and without the password', async t => {
  const bad: Record<string, RegExp> = {
    'localhost:6379': /none of these forms/,
    'sentinel://s1/mymaster': /none of these forms/,
    'redis://': /none of these forms/,
    'redis://:hidden@': /none of these forms/,
    'redis://:hidden@h1,h2': /Several hosts are sentinels/,
    'redis://:hidden@h1:99999': /host:port/,
    'redis://h 1': /host:port/,
    'redis://h1/one': /database must be a number/,
    'redis://h1?family=6': /sentinel_username/,
    'redis://:50%hidden@h1': /%25/,
    'redis+sentinel://:hidden@h1': /name of their primary/,
    'redis+sentinel://h1/mymaster/x': /database must be a number/,
    'redis+sentinel://h1/mymaster?sentinel_pasword=hidden': /sentinel_password/,
    'redis+cluster://h1/1': /no numbered databases/,
    'redis+cluster://h1?sentinel_password=hidden': /only with sentinels/,
  }
  for (const [url, reason] of Object.entries(bad)) {
    const load = () => loadConfig({ REDIS_URL: url })
    t.throws(load, /^REDIS_URL should be redis:/, url)
    t.throws(load, reason)
    t.throws(load, { message: /^(?!.*hidden)/ })
  }
  t.notMatch(JSON.stringify(describeConfig({ REDIS_URL: 'redis://:hidden@h1' })), /hidden/)
})

t.test('the start fails with a message when Redis does not answer', async t => {
  for (const url of [
    'redis://127.0.0.1:1',
    'redis+cluster://127.0.0.1:1',
    'redis+sentinel://127.0.0.1:1/x',
  ]) {
    // ioredis asks sentinels again and again: only the time limit ends that.
    await t.rejects(openRedis(url, '', 500), /^REDIS_URL: no Redis answers there/, url)
  }
})
