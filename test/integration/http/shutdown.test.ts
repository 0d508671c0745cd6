import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { builtCli } from '../../built-cli.js'
import { startServer } from '../../built-server.js'
import { build, dataDir, postgresUrl, redisUrl, setUp } from '../../helper.js'
import { TEMPLATE } from '../../postgres-server.js'
import { builtFolder } from '../../servers.js'
import { people } from '../safes/open.js'

const CLIENTS = 20
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** One request; an error where there is no answer. */
async function send(url: string, token: string, agent: Agent): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = request(url, { method: url.endsWith('/mcp/v1') ? 'POST' : 'GET', agent, headers })
  sent.end(url.endsWith('/mcp/v1') ? PING : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  for await (const _ of response);
  return response
}

/** What a client gets that tries again after it was rejected as overload. */
async function answered(ask: () => ReturnType<typeof send>): ReturnType<typeof send> {
  const response = await ask()
  return response.statusCode === 503 ? answered(ask) : response
}

t.test('SIGTERM under load: no request fails, and the process ends by itself', async t => {
  const stores = {
    ...(setUp !== 'embedded' && { REDIS_URL: await redisUrl() }),
    ...(setUp === 'postgres' && { DATABASE_URL: await postgresUrl(t, TEMPLATE) }),
  }
  const files = await builtFolder()
  const folder = dataDir(t)
  const svc = await builtCli(folder, stores)
  await svc.run(['account', 'add', 'ann@a.example', '--password-stdin'], 'correct horse battery\n')
  const token = (await svc.run(['connection', 'token', 'ann@a.example'])).trim()
  // Another process on the same data, as behind a load balancer; a folder lets in one, so here it is a link to the file.
  const other = dataDir(t)
  if (setUp !== 'postgres') symlinkSync(join(folder, 'svc.db'), join(other, 'svc.db'))
  const env = { CALLS_PER_SECOND: '0', ...stores }
  const leaving = await startServer(t, files, { ...env, DATA_DIR: folder })
  const staying = await startServer(t, files, { ...env, DATA_DIR: other })

  const statuses = new Map<number, number>()
  let stopped = false
  let closing = 0
  /** Calls one process until it says that it will not stay, then the other. */
  async function client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let { url } = leaving
    while (!stopped) {
      const { statusCode = 0, headers } = await send(`${url}/mcp/v1`, token, agent)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      if (headers.connection === 'close' && url === leaving.url) {
        closing++
        url = staying.url
      }
    }
    agent.destroy()
  }
  const clients = Array.from({ length: CLIENTS }, client)
  while ((statuses.get(200) ?? 0) < 1000) await new Promise(resolve => setTimeout(resolve, 10))
  leaving.child.kill('SIGTERM')
  while (closing === 0) await new Promise(resolve => setTimeout(resolve, 1))
  const newcomer = new Agent()
  const late = await answered(() => send(`${leaving.url}/mcp/v1`, token, newcomer))
  t.match(late, { statusCode: 200, headers: { connection: 'close' } }, 'who comes late is answered')
  const ready = await send(`${leaving.url}/readyz`, token, newcomer)
  t.match(ready, { statusCode: 503, headers: { 'retry-after': '2' } }, 'load balancers stop sending requests')
  t.equal(await leaving.ended, 0, 'not cut off after ten seconds')
  await t.rejects(send(`${leaving.url}/mcp/v1`, token, newcomer), { code: 'ECONNREFUSED' })
  const before = statuses.get(200) ?? 0
  while ((statuses.get(200) ?? 0) < before + 100) await new Promise(resolve => setTimeout(resolve, 10))
  stopped = true
  await Promise.all(clients)
  // On a busy machine the service rejects some as overload, which asks clients to try again.
  statuses.delete(503)
  t.strictSame([...statuses.keys()], [200])
  t.equal(closing, CLIENTS, 'each client was asked to disconnect')
})

t.test('a running import or index build does not delay the shutdown', async t => {
  const app = await build(t)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const owner = 'ann'
  await app.database.write(trx =>
    trx
      .insertInto('accounts')
      .values({
        id: owner,
        email: 'a@a.example',
        password_hash: '',
        role: 'admin',
        session_epoch: 0,
        created_at: 0,
      })
      .execute(),
  )
  const [full, filling] = [await app.safes.create(owner, 'Full'), await app.safes.create(owner, 'Filling')]
  const bytes = Readable.from([Buffer.from(people(3000))])
  await app.safes.import(owner, full.id, { source: 'people.nt', bytes, commit: true })
  /** It never ends, like the upload of a client that has disappeared. */
  async function* endless() {
    for (let i = 0; ; i++) yield Buffer.from(`<http://x/e${i}> <http://x/knows> <http://x/e${i + 1}> .\n`)
  }
  const begun = await app.safes.startImport(owner, filling.id, {
    source: 'endless.nt',
    bytes: Readable.from(endless()),
    commit: true,
  })
  while (((await app.safes.findImport(owner, filling.id, begun.id))?.counts.entities ?? 0) === 0)
    await new Promise(resolve => setTimeout(resolve, 10))
  const { accessToken } = await app.oauth.issueTokens(owner, {
    clientName: 'x',
    grant: { chosenSafeIds: [full.id] },
  })
  const agent = new Agent({ keepAlive: true })
  await send(`${url}/mcp/v1`, accessToken, agent)
  const asked = app.safes.ask(owner, full.id, { query: 'Whom does Person 7 know?' }).catch(error => error)
  await app.close()
  t.ok((await asked).facts ?? /closing/.test((await asked).message), 'answered, or told why not')
  agent.destroy()

  const again = await build(t, { env: { DATA_DIR: app.config.dataDir } })
  t.match(await again.safes.findImport(owner, filling.id, begun.id), {
    status: 'failed',
    problem: /interrupted|stopped/,
  })
  t.match(await again.safes.find(owner, filling.id), { counts: { entities: 0, relations: 0 } })
})
