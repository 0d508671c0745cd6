import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { Redis } from 'ioredis'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { rootDir } from '../../../platform/common/package.js'
import { SettingsSchema } from '../../../plugins/config/settings.js'
import { startBuilt } from '../../built-server.js'
import { freePort } from '../../free-port.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { TEMPLATE } from '../../postgres-server.js'
import { builtFolder } from '../../servers.js'

interface Container {
  image?: string
  user?: string
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  environment: Record<string, string>
  secrets: string[]
  command: string[]
  healthcheck: { test: string[] }
  volumes: string[]
  stop_grace_period: string
  depends_on: Record<string, { condition: string }>
}

interface Compose {
  services: Record<'svc' | 'postgres' | 'redis', Container>
  secrets: Record<string, { file: string }>
  volumes: Record<string, null>
}

const run = promisify(execFile)
const compose = parse(readFileSync(join(rootDir, 'compose.yaml'), 'utf8'), { merge: true }) as Compose
const { svc, postgres, redis } = compose.services
const folder = dataDir(t)
execFileSync('sh', [join(rootDir, 'deploy', 'secrets.sh')], { cwd: folder })
const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8').trim()

t.test('every container is confined, and waits until what it needs is healthy', async t => {
  for (const container of [svc, postgres, redis]) {
    t.match(container, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    for (const volume of container.volumes) t.ok((volume.split(':')[0] ?? '') in compose.volumes, volume)
  }
  for (const container of [postgres, redis]) {
    t.match(container, { image: /^[a-z]+:\d+$/, user: /^(postgres|redis)$/, healthcheck: {} })
  }
  t.match(readFileSync(join(rootDir, 'Dockerfile'), 'utf8'), /\nUSER node\n[\s\S]*\nHEALTHCHECK /)
  t.strictSame(svc.depends_on, {
    postgres: { condition: 'service_healthy' },
    redis: { condition: 'service_healthy' },
  })
})

t.test('the manifest of docs/deployment.md is confined, and names settings and paths that exist', async t => {
  const guide = readFileSync(join(rootDir, 'docs', 'deployment.md'), 'utf8')
  const [, manifest = ''] = /```yaml\n([\s\S]+?)```/.exec(guide) ?? []
  const [set, service] = parseAllDocuments(manifest).map(document => document.toJS({ maxAliasCount: 0 }))
  const { template, selector } = set.spec
  const [container] = template.spec.containers
  for (const { name } of container.env) t.ok(name in SettingsSchema.properties, name)
  t.match(template.spec.securityContext, { runAsNonRoot: true, runAsUser: 1000 })
  t.match(container.securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
  t.equal(container.readinessProbe.httpGet.path, '/readyz')
  t.equal(container.livenessProbe.httpGet.path, '/healthz')
  t.match(container.volumeMounts[0], { mountPath: '/data' })
  t.strictSame(selector.matchLabels, template.metadata.labels)
  t.strictSame(service.spec.selector, template.metadata.labels)
})

t.test('every setting exists, and secrets are files', async t => {
  const settings: Record<string, { secret?: true } | TSchema> = SettingsSchema.properties
  for (const [name, value] of Object.entries(svc.environment)) {
    const isFile = name.endsWith('_FILE')
    const setting = settings[name.replace(/_FILE$/, '')]
    t.ok(setting, name)
    t.equal(setting?.secret ?? false, isFile, `${name} is a file if it is a secret`)
    if (isFile) t.ok(svc.secrets.includes(value.replace('/run/secrets/', '')), value)
  }
  const used = [svc, postgres, redis].flatMap(({ secrets }) => secrets)
  t.strictSame([...used].sort(), Object.keys(compose.secrets).sort())
  for (const [name, { file }] of Object.entries(compose.secrets)) t.equal(file, `secrets/${name}`)
})

t.test('deploy/secrets.sh makes what compose.yaml names, once, in a closed folder', async t => {
  t.strictSame(readdirSync(join(folder, 'secrets')).sort(), Object.keys(compose.secrets).sort())
  t.equal(statSync(join(folder, 'secrets')).mode & 0o777, 0o700)
  t.equal(statSync(join(folder, 'secrets', 'redis_url')).mode & 0o777, 0o644)
  t.match(secret('redis_password'), /^[0-9a-f]{48}$/)
  t.not(secret('redis_password'), secret('postgres_password'))
  const before = secret('redis_url')
  await t.rejects(run('sh', [join(rootDir, 'deploy', 'secrets.sh')], { cwd: folder }), /File exists/)
  t.equal(secret('redis_url'), before)
})

t.test('the service is ready over Postgres and the Redis of compose.yaml', async t => {
  const port = await freePort()
  const server = startRedis(port)
  t.teardown(() => server.kill('SIGKILL'))
  const client = new Redis(port, '127.0.0.1', { password: secret('redis_password'), retryStrategy: () => 50 })
  client.on('error', () => {})
  t.teardown(() => client.disconnect())
  await client.ping()
  t.strictSame(await client.config('GET', 'maxmemory-policy'), ['maxmemory-policy', 'noeviction'])
  t.strictSame(await client.config('GET', 'appendonly'), ['appendonly', 'yes'])

  const database = await postgresUrl(t, TEMPLATE)
  await t.resolves(check(postgres, { PGPORT: new URL(database).port }), 'Postgres is healthy')
  await t.rejects(check(postgres, { PGPORT: String(await freePort()) }), 'no Postgres there')
  await t.resolves(check(redis, {}, port), 'Redis is healthy')
  const address = secret('redis_url').replace('redis:6379', `127.0.0.1:${port}`)
  t.not(address, secret('redis_url'))
  t.equal(new URL(secret('database_url')).password, secret('postgres_password'))
  const [redisFile, databaseFile] = [join(folder, 'redis_url'), join(folder, 'database_url')]
  writeFileSync(redisFile, `${address}\n`)
  writeFileSync(databaseFile, `${database}\n`)
  const env = { DATA_DIR: join(folder, 'data'), REDIS_URL_FILE: redisFile, DATABASE_URL_FILE: databaseFile }
  const service = await startBuilt(env, { files: await builtFolder() })
  t.teardown(() => service.stop('SIGKILL'))
  t.match(await (await fetch(`${service.url}/readyz`)).json(), { status: 'ready' })

  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
  await t.rejects(check(redis, {}, port), 'nor here')
  const again = startRedis(port)
  t.teardown(() => again.kill('SIGKILL'))
  await client.ping()
  writeFileSync(join(folder, 'secrets', 'redis_password'), 'wrong')
  await t.rejects(check(redis, {}, port), 'a Redis that refuses the password is not healthy')
})

const here = (text: string) =>
  text.replaceAll('/run/secrets', join(folder, 'secrets')).replaceAll('/data', join(folder, 'redis'))

function startRedis(port: number): ChildProcess {
  mkdirSync(join(folder, 'redis'), { recursive: true })
  const [command = '', ...args] = redis.command.map(here)
  return spawn(command, [...args, '--port', String(port), '--bind', '127.0.0.1'], { stdio: 'ignore' })
}

/** Runs a health check as Docker does. @throws when it fails */
async function check({ healthcheck }: Container, env: Record<string, string>, redisPort = 0): Promise<void> {
  const [kind, command = '', ...args] = healthcheck.test
  const versions = '/usr/lib/postgresql'
  const paths = existingFolders(versions).map(version => join(versions, version, 'bin'))
  const options = { env: { PATH: [...paths, process.env.PATH].join(':'), ...env } }
  if (kind === 'CMD') await run(command, args, options)
  else
    await run(
      'sh',
      [
        '-c',
        here(command)
          .replaceAll('$$', () => '$')
          .replace('redis-cli', `redis-cli -p ${redisPort}`),
      ],
      options,
    )
}

function existingFolders(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
