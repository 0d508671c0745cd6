import t from 'tap'
import { describeConfig, loadConfig } from '../plugins/config.js'

t.test('no setting is needed on localhost', async t => {
  t.match(loadConfig({}), { baseUrl: 'http://localhost:3000', redisUrl: null, brand: 'svc', admin: null })
})

t.test('a bad value stops the start, naming the variable and what it should be', async t => {
  const bad: Record<string, string> = {
    PORT: 'many',
    BASE_URL: 'https://safes.example/',
    REDIS_URL: 'localhost:6379',
    REFRESH_REUSE_GRACE_SECONDS: '-1',
    LOG_LEVEL: 'loud',
    BRAND: 'Two Words',
    ALLOWED_ORIGINS: 'https://a.example/path',
    KNOWN_REDIRECT_URIS: 'http://a.example/cb',
    TRUST_PROXY: 'everyone',
    ADMIN_PASSWORD: 'long enough, but without an address',
  }
  for (const [name, value] of Object.entries(bad)) {
    const wrong = name === 'ADMIN_PASSWORD' ? 'ADMIN_EMAIL' : name
    t.throws(
      () => loadConfig({ [name]: value }),
      new RegExp(`^${wrong} should be .{10,}`),
      `${name}=${value}`,
    )
  }
  t.throws(() => loadConfig({ PORT: '0', LOG_LEVEL: 'x' }), /PORT.*\nLOG_LEVEL/)
})

t.test('a secret may come from a file, and is never shown', async t => {
  const folder = t.testdir({ password: 'correct horse battery\n' })
  const env = { ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD_FILE: `${folder}/password` }
  t.equal(loadConfig(env).admin?.password, 'correct horse battery')
  t.notMatch(JSON.stringify(describeConfig(env)), /correct horse/)
  t.throws(
    () => loadConfig({ ADMIN_PASSWORD_FILE: '/nowhere' }),
    /ADMIN_PASSWORD_FILE should name a readable file/,
  )
})
