import { sql } from 'kysely'
import t from 'tap'
import { UNUSED_CLIENTS } from '../../../domain/oauth/clients/clients.js'
import { ClientStore } from '../../../domain/oauth/stores/client.sql.js'
import { build } from '../../helper.js'
import { Assistant, assistantOf, CALLBACK } from './assistant.js'

const CLAUDE = 'https://claude.ai/api/mcp/auth_callback'

t.test(`of unused registrations only the newest ${UNUSED_CLIENTS} are kept`, async t => {
  const app = await build(t)
  const { database } = app
  const store = new ClientStore(database)
  const count = async (where = sql`last_used_at is null`) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from clients where ${where}`.execute(
      database.read,
    )
    return Number(rows[0]?.n)
  }
  const { assistant: used } = await assistantOf(app)
  const { refresh_token } = await used.connect()
  // Registered before the flood, which starts while the user has the consent page open.
  const { assistant: asking } = await assistantOf(app)
  const page = await asking.consentPage()
  const claude = await Assistant.registered(app, [CLAUDE])
  await database.write(trx => sql`update clients set created_at = 0`.execute(trx))
  await database.write(trx =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(UNUSED_CLIENTS)})
      insert into clients (id, name, redirect_uris_json, grant_types_json, created_at)
      select 'flood' || i, '', '[]', '[]', i from n`.execute(trx),
  )

  // With the three above, this is the hundredth, at which the maximum is enforced.
  for (let i = 0; i < 97; i++) await Assistant.registered(app)
  t.equal(await count(), UNUSED_CLIENTS, 'so many are left')
  t.equal(await count(sql`id like 'flood%' and created_at > 97`), UNUSED_CLIENTS - 97, 'the newest')
  t.equal(await store.find(claude.clientId), null, 'older ones were forgotten')
  t.ok(await store.find(used.clientId), 'what was used stays, however old')
  t.equal((await used.refresh(refresh_token)).statusCode, 200)

  const { headers } = await asking.decide(page, { decision: 'approve' })
  const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
  t.equal((await asking.redeem(code)).statusCode, 200, 'an open consent page ends in a connection')
  const again = await claude.consentPage({ redirect_uri: CLAUDE })
  t.match(again, /^\/oauth\/consent\//, 'DESIGN §5.5 a known assistant is recognised by its id')
})

t.test('a large surplus is forgotten in slices', async t => {
  const app = await build(t)
  const store = new ClientStore(app.database)
  const client = { name: '', redirectUris: [CALLBACK], grantTypes: [], lastUsedAt: null }
  for (let i = 0; i < 450; i++) await store.add({ ...client, id: `c${i}`, createdAt: i })
  const left = async () =>
    (await app.database.read.selectFrom('clients').select('id').execute()).map(({ id }) => id).sort()
  t.equal(await store.removeOldestUnused(20), true)
  t.equal((await left()).length, 250, 'a slice')
  t.equal(await store.removeOldestUnused(20), true)
  t.equal(await store.removeOldestUnused(20), false)
  t.strictSame(
    await left(),
    Array.from({ length: 20 }, (_, i) => `c${430 + i}`),
  )
  t.equal(await store.removeOldestUnused(20), false)
})
