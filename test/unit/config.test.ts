import t from 'tap'
import { clientAddress } from '../../platform/common/client-address.js'
import { describeConfig } from '../../plugins/config/describe.js'
import { unknownSettings } from '../../plugins/config/unknown-settings.js'
import { loadConfig } from '../../plugins/config.js'
import { words } from '../words.js'

t.test('no setting is needed on localhost', async t => {
  t.match(loadConfig({}), { baseUrl: 'http://localhost:3000', redisUrl: null, brand: 'svc', admin: null })
})

t.test('the port of http is not part of the address', async t => {
  t.match(loadConfig({ PORT: '80' }), { baseUrl: 'http://localhost', port: 80 })
})

t.test('backups are copied to a folder of a bucket', async t => {
  const settings = { BACKUP_DIR: 'b', BACKUP_S3_KEY_ID: 'id', BACKUP_S3_SECRET_KEY: 'a secret' }
  const at = (url: string) => loadConfig({ ...settings, BACKUP_S3_URL: url }).backupBucket
  t.match(at('https://s3.example.org/bucket'), { endpoint: 'https://s3.example.org/bucket', prefix: '' })
  t.match(at('http://nas:9000/bucket/svc/a/'), { endpoint: 'http://nas:9000/bucket', prefix: 'svc/a/' })
  for (const bad of ['s3://bucket', 'https://s3.example.org', 'https://id:secret@s3.example.org/bucket'])
    t.throws(() => at(bad), /^BACKUP_S3_URL should be/, bad)
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
    METRICS_PORT: '3000',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'a token',
    METRICS_TOKEN: 'a short one',
    BACKUP_S3_URL: 'https://s3.example.org/bucket',
    BACKUP_S3_KEY_ID: 'a key without a bucket',
    BACKUP_S3_SECRET_KEY: 'a secret without a bucket',
    OIDC_ISSUER: 'http://login.example.org',
    OIDC_CLIENT_ID: 'svc',
    OIDC_CLIENT_SECRET: 'a secret without an issuer',
    OIDC_ALLOWED_DOMAINS: 'example.org',
    OIDC_ALLOWED_GROUPS: 'staff',
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
  const provider = {
    OIDC_ISSUER: 'https://login.example.org',
    OIDC_CLIENT_ID: 'svc',
    OIDC_CLIENT_SECRET: 'x',
  }
  for (const issuer of ['https://a.example/?x', 'https://a.example/#x', 'login.example.org'])
    t.throws(() => loadConfig({ ...provider, OIDC_ISSUER: issuer }), /^OIDC_ISSUER should be/, issuer)
  for (const domain of ['@example.org', 'ann@example.org', 'a b.example', '.example.org'])
    t.throws(() => loadConfig({ ...provider, OIDC_ALLOWED_DOMAINS: domain }), /^OIDC_ALLOWED_DOMAINS/, domain)
  t.match(loadConfig({ ...provider, OIDC_ISSUER: 'http://localhost:8080/realms/home' }).provider, {
    issuer: 'http://localhost:8080/realms/home',
    domains: [],
  })
  t.throws(() => loadConfig({ PORT: '0', LOG_LEVEL: 'x' }), /PORT.*\nLOG_LEVEL/)
})

t.test('TRUST_PROXY takes addresses, ranges and three names, and nothing that looks alike', async t => {
  for (const good of [
    '10.0.0.0/8',
    '::1',
    '2001:db8::/32, 127.0.0.1',
    'loopback,linklocal',
    'uniquelocal',
    '0.0.0.0/1',
  ])
    t.doesNotThrow(() => clientAddress(loadConfig({ TRUST_PROXY: good }).trustProxy), good)
  for (const bad of words(`
    1 ::1/129 10.0.0.0/33 10.0.0.0/0 10.0.0.0/ 10.0.0/8 10.0.0.1/8/8 lo ::1/x
  `))
    t.throws(() => loadConfig({ TRUST_PROXY: bad }), /^TRUST_PROXY should be IP addresses/, bad)
})

t.test('a setting that is misspelt is named, with the one that is meant', async t => {
  const cases: Record<string, string | null> = {
    BASEURL: 'BASE_URL',
    SVC_BASE_URL: 'BASE_URL',
    base_url: 'BASE_URL',
    REDIS_URI: 'REDIS_URL',
    TRUSTED_PROXY: 'TRUST_PROXY',
    ALLOWED_ORIGIN: 'ALLOWED_ORIGINS',
    CALL_PER_SECOND: 'CALLS_PER_SECOND',
    SVC_LOGLEVEL: 'LOG_LEVEL',
    BASE_URL_FILE: 'BASE_URL',
    PROT: null,
    SVC_COLOUR: 'svc config',
  }
  for (const [name, meant] of Object.entries(cases)) {
    const said = unknownSettings({ [name]: 'x' })
    if (meant === null) t.strictSame(said, [], name)
    else t.match(said, [new RegExp(`^${name} is not a setting.*${meant}`)], name)
  }
  const [removed] = unknownSettings({ MCP_APPS: 'on' })
  t.match(removed, /^MCP_APPS is no longer a setting and has no effect/)
  const usual = words('PATH HOME HOSTNAME LANG PWD SHELL USER TERM NODE_ENV NODE_OPTIONS TZ')
  const ours = words(`
    PORT REDIS_URL_FILE ADMIN_PASSWORD_FILE npm_config_host http_proxy FLY_REGION PGHOST
  `)
  t.strictSame(unknownSettings(Object.fromEntries([...usual, ...ours].map(name => [name, 'x']))), [])
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
