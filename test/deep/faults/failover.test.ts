import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import t from 'tap'
import { buildService } from '../../integration/mcp/service.js'
import { PASSWORD } from '../../integration/pages/browser.js'
import { addLighthouse } from '../../lighthouse.js'
import { PostgresServer } from '../../postgres-server.js'
import { rpc } from '../../unit/mcp/domain.js'
import { until } from '../../until.js'

const QUESTION = { name: 'svc', arguments: { query: 'Who leads the Lens Restoration?' } }

t.test('a standby is promoted: only 503 meanwhile, no restart, and nothing acknowledged is lost', async t => {
  const primary = await PostgresServer.start()
  t.teardown(() => primary.remove())
  const standby = await PostgresServer.standbyOf(primary)
  t.teardown(() => standby.remove())
  // The standby first: the service must find the server that takes writes.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
  const url = `postgres://svc@${hosts}/postgres?target_session_attrs=read-write`
  const { app, issue, poster } = await buildService(t, { setUp: 'postgres', env: { DATABASE_URL: url } })
  const owner = await app.accounts.add('cleo@example.org', PASSWORD)
  const sample = await addLighthouse(app, owner.id)
  const client = poster(await issue(owner.id, { chosenSafeIds: [sample.id] }))

  const statuses = new Map<number, number>()
  const acknowledged: string[] = []
  let isOver = false
  const asking = async () => {
    while (!isOver) {
      const { statusCode } = await client.send(rpc(1, 'tools/call', QUESTION))
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      await pause(5)
    }
  }
  let refused = 0
  const writing = async () => {
    while (!isOver) {
      await app.safes.create(owner.id, 'Written').then(
        ({ id }) => acknowledged.push(id),
        () => {
          refused += 1
        },
      )
      await pause(5)
    }
  }
  const load = [asking(), asking(), writing(), writing()]
  await until(() => acknowledged.length > 20)
  await primary.stop('SIGQUIT')
  await until(() => statuses.has(503))
  standby.promote()
  const before = acknowledged.length
  await until(() => acknowledged.length > before + 20)
  isOver = true
  await Promise.all(load)

  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  t.comment(`questions: ${counts}; writes: ${acknowledged.length} done, ${refused} refused`)
  t.strictSame(
    [...statuses.keys()].filter(status => status !== 200 && status !== 503),
    [],
  )
  const found = new Client({ connectionString: standby.url() })
  await found.connect()
  const { rows } = await found.query('select id from safes')
  await found.end()
  const kept = new Set(rows.map(({ id }) => id))
  t.strictSame(
    acknowledged.filter(id => !kept.has(id)),
    [],
  )
  t.equal((await app.inject('/readyz')).statusCode, 200)
})
