// npm run bench -- many-safes [SAFES] — the start of an embedded service with SAFES Safes (10,000) of 30 rows; one
// account owns all, and its first and second answer of each kind. Milliseconds by the clock.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../app.js'
import { sqliteDriver } from '../../platform/storage/sqlite/load-driver.js'
import { loadConfig } from '../../plugins/config.js'
import { startBuilt } from '../../test/built-server.js'
import { machine, memoryMb, processorMs, timed } from '../figures.js'
import { Client } from '../import/client.js'
import { createSmallSafe } from '../small-safe.js'

const safes = Number(process.argv[2] ?? 10_000)
const PEOPLE = 10
const TABLES = ['memberships', 'imports', 'entities', 'passages', 'relations', 'documents', 'document_texts']

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-many-safes-'))
try {
  await run({ DATA_DIR: folder, CALLS_PER_SECOND: '0' })
} finally {
  rmSync(folder, { recursive: true })
}

async function run(env: Record<string, string>): Promise<void> {
  const app = await buildApp({ config: loadConfig(env) })
  await app.ready()
  const { id } = await createSmallSafe(app, PEOPLE)
  const cookie = `svc_session=${await app.loginSessions.begin('ann')}`
  const { accessToken } = await app.oauth.issueTokens('ann', { clientName: 'bench', days: 1 })
  await app.close()
  await multiply(id)
  const { result: server, clock } = await timed(() => startBuilt(env))
  console.log(
    `${machine()}\n\n${safes.toLocaleString('en')} Safes: listening after ${clock.toFixed(0)} ms, ${processorMs(server.child.pid)} ms of processor time`,
  )
  const client = new Client(server.url, { accessToken, cookie, clientId: '', refreshToken: '' })
  const kinds: Record<string, () => Promise<unknown>> = {
    ping: () => client.ping(),
    'a question': () => client.ask(id, 'Who does Person B1 know?'),
    'the list of Safes': () => client.page('/safes'),
    'a Safe': () => client.page(`/safes/${id}`),
    'the activity': () => client.page('/activity'),
  }
  for (const [kind, ask] of Object.entries(kinds)) {
    const times = [await timed(ask), await timed(ask)]
    console.log(`| ${kind} | ${times.map(one => `${one.clock.toFixed(0)} ms`).join(', then ')} |`)
  }
  console.log(`memory ${memoryMb(server.child.pid, 'VmHWM').toFixed(0)} MB at most`)
  await server.stop('SIGTERM')
}

/** Copies a Safe with its rows under other ids. */
async function multiply(id: string): Promise<void> {
  const file = (await sqliteDriver()).open(join(folder, 'svc.db'), 0)
  file.exec('pragma foreign_keys = off; pragma synchronous = off; begin')
  const copy = (table: string, column: string) => {
    const columns = file.prepare(`select name from pragma_table_info('${table}')`).all([]) as {
      name: string
    }[]
    const names = columns.map(({ name }) => name)
    const values = names.map(name =>
      name === column ? `substr('${id}', 1, length('${id}') - 5) || number` : name,
    )
    file
      .prepare(
        `with recursive numbers as (select 10000 as number union all select number + 1 from numbers where number < ?)
         insert into ${table} (${names}) select ${values} from ${table}, numbers where ${column} = ?`,
      )
      .run([safes + 9998, id])
  }
  copy('safes', 'id')
  for (const table of TABLES) copy(table, 'safe_id')
  file.exec('commit')
  file.close()
}
