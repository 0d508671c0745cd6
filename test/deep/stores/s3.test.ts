import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import aws4 from 'aws4'
import S3rver from 's3rver'
import t, { type Test } from 'tap'
import { S3Copies } from '../../../platform/storage/backup/s3-copies.js'
import { freePort } from '../../free-port.js'
import { build, dataDir } from '../../helper.js'
import { found, installationOf } from '../../integration/doctor/set-up.js'
import { signedIn } from '../../integration/pages/open.js'
import { until } from '../../until.js'

/** The keys that S3rver knows. */
const KEYS = { keyId: 'S3RVER', secretKey: 'S3RVER' }
const HOUR = 3_600_000
const names = (folder: string) => readdirSync(folder).filter(name => name.endsWith('.db'))
const nameAt = (day: number) => `svc-2026-01-0${day}T00-00-00Z.db`

/** A service that speaks S3, with one empty bucket. It refuses signatures other than those of AWS (S3rver does not). */
async function s3(t: Test) {
  const service = new S3rver({
    silent: true,
    directory: dataDir(t),
    configureBuckets: [{ name: 'bucket' }],
  })
  await service.configureBuckets()
  const answer = service.callback()
  const server = createServer((request, response) => {
    const wrong = wrongSignature(request)
    if (!wrong) return answer(request, response)
    response.writeHead(403, { 'content-type': 'application/xml' })
    return response.end(
      `<Error><Code>${wrong}</Code><Message>${request.headers.authorization}</Message></Error>`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`
}

/** Signs each request again with another implementation. */
function wrongSignature({ method, url, headers }: IncomingMessage): string | null {
  const given = headers.authorization ?? ''
  const signed = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? []
  const request = {
    service: 's3',
    region: 'us-east-1',
    method,
    path: url,
    headers: Object.fromEntries(signed.map(name => [name, String(headers[name])])),
  }
  if (!given.includes(`Credential=${KEYS.keyId}/`)) return 'InvalidAccessKeyId'
  const again = aws4.sign(request, { accessKeyId: KEYS.keyId, secretAccessKey: KEYS.secretKey })
  const signatureOf = (authorization = '') => /Signature=(\w+)/.exec(authorization)?.[1]
  return signatureOf(again.headers.Authorization) === signatureOf(given) ? null : 'SignatureDoesNotMatch'
}

function place(t: Test, endpoint: string, prefix = 'svc/') {
  const folder = join(dataDir(t), 'backups')
  mkdirSync(folder)
  const schedule = { folder, everyMs: HOUR, keep: 3 }
  return { folder, copies: new S3Copies({ endpoint, prefix, region: 'us-east-1', ...KEYS }, schedule) }
}

t.test(
  'what the bucket lacks is copied, as many as are kept, byte for byte, and can be brought back',
  async t => {
    const { folder, copies } = place(t, await s3(t))
    // Larger than two parts.
    const large = Buffer.alloc(40_000_000, 'a page of a database ')
    writeFileSync(join(folder, nameAt(1)), large)
    writeFileSync(join(folder, nameAt(2)), 'small')
    writeFileSync(join(folder, 'mine.db'), 'somebody else put it here')
    writeFileSync(join(folder, 'before-update-2026-01-01T00-00-00.000Z.db'), 'not one of the schedule')
    t.same(await copies.send(), [nameAt(2), nameAt(1)])
    t.same(await copies.send(), [], 'once')
    for (const day of [3, 4]) writeFileSync(join(folder, nameAt(day)), `day ${day}`)
    t.same(await copies.send(), [nameAt(4), nameAt(3)])
    t.match(await copies.list(), [{ name: nameAt(4), bytes: 5 }, { name: nameAt(3) }, { name: nameAt(2) }])
    rmSync(join(folder, nameAt(2)))
    await copies.bring(nameAt(2))
    t.equal(readFileSync(join(folder, nameAt(2)), 'utf8'), 'small')
    await t.rejects(copies.bring(nameAt(1)), /no longer there/, 'the oldest has been removed')
  },
)

t.test('a large backup comes back byte for byte', async t => {
  const { folder, copies } = place(t, await s3(t), '')
  const large = Buffer.from(Array.from({ length: 5_000_000 }, (_, n) => (n * 7919) % 251))
  const whole = Buffer.concat([large, large, large, large])
  writeFileSync(join(folder, nameAt(1)), whole)
  await copies.send()
  rmSync(join(folder, nameAt(1)))
  await copies.bring(nameAt(1))
  t.ok(readFileSync(join(folder, nameAt(1))).equals(whole))
  t.same(names(folder), [nameAt(1)])
})

t.test('a wrong key, a missing bucket and a service that is away are said without the keys', async t => {
  const endpoint = await s3(t)
  const { folder } = place(t, endpoint)
  const failing = (address: object) =>
    new S3Copies(
      { endpoint, prefix: '', region: 'us-east-1', ...KEYS, ...address },
      { folder, everyMs: HOUR, keep: 3 },
    ).send()
  for (const [address, reason] of [
    [{ secretKey: 'not the secret' }, /^S3 answered 403 SignatureDoesNotMatch\.$/],
    [{ keyId: 'NOBODY', secretKey: 'not the secret' }, /^S3 answered 403 InvalidAccessKeyId\.$/],
    [{ endpoint: `${endpoint}less` }, /bucket does not exist|NoSuchBucket/],
    [
      { endpoint: `http://127.0.0.1:${await freePort()}/bucket` },
      /^S3 could not be reached: ECONNREFUSED\.$/,
    ],
  ] as const) {
    const error = await failing(address).catch((error: Error) => error)
    t.match((error as Error).message, reason)
    t.notMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /not the secret/)
  }
})

t.test('svc doctor finds a bucket that refuses, and a backup that is not in it', async t => {
  const endpoint = await s3(t)
  const { folder, copies } = place(t, endpoint)
  const app = await build(t, { setUp: 'embedded' })
  writeFileSync(join(folder, nameAt(1)), 'a backup')
  const at = Date.UTC(2026, 0, 1)
  const check = async (wrong: object, now = at) => {
    const settings = {
      backups: { folder, everyMs: HOUR, keep: 3 },
      backupBucket: { endpoint, prefix: 'svc/', region: 'us-east-1', ...KEYS, ...wrong },
    }
    const all = await found(installationOf(app, undefined, { settings, clock: () => now }))
    return all.filter(([name]) => name === 'backups').map(([, , what]) => what)
  }
  t.same(await check({}), [], 'a new backup may still be on its way')
  t.match(await check({}, at + HOUR), [/^The latest backup, svc-2026-01-01.*\.db, is not in http/])
  await copies.send()
  t.same(await check({}, at + HOUR), [])
  t.match(await check({ secretKey: 'x' }), [
    /cannot be copied to .*: S3 answered 403 SignatureDoesNotMatch\.$/,
  ])
  t.match(await check({ endpoint: `${endpoint}less` }), [/bucket does not exist|NoSuchBucket/])
  const nowhere = `http://127.0.0.1:${await freePort()}/bucket`
  t.match(await check({ endpoint: nowhere }), [/S3 could not be reached: ECONNREFUSED\.$/])
})

t.test('a server copies its backups, and its page brings back what is only there', async t => {
  const lines: string[] = []
  const endpoint = await s3(t)
  const folder = join(dataDir(t), 'backups')
  const settings = {
    BACKUP_DIR: folder,
    BACKUP_S3_URL: `${endpoint}/svc`,
    BACKUP_S3_KEY_ID: KEYS.keyId,
    BACKUP_S3_SECRET_KEY: KEYS.secretKey,
  }
  const app = await build(t, { setUp: 'embedded', env: settings, log: { write: line => lines.push(line) } })
  await app.listen({ port: 0 })
  await until(async () => lines.some(line => line.includes('backup copied')))
  const [name = ''] = names(folder)
  const { browser } = await signedIn(app, 'ada@a.example')
  const page = '/system/backups'
  t.match((await browser.get(page)).body, /1 backup in http:.*\/bucket\/svc\/, the newest from/)
  rmSync(join(folder, name))
  const brought = await browser.submit(page, `${page}/${name}/bring`)
  t.match(brought, { statusCode: 303, headers: { location: `${page}/${name}` } })
  t.match((await browser.get(`${page}/${name}`)).body, /<dt>Accounts<\/dt>/)
  t.match(await browser.get('/system'), { statusCode: 200 })
  t.notMatch(lines.join('') + (await browser.get('/system')).body, /S3RVER/)
})
