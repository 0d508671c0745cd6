// npm run bench -- backup [FACTS [POSTGRES_URL]] — a backup of FACTS (1,000,000) facts, which nobody asks meanwhile, and its
// restore into an empty folder; with an address also into that empty Postgres database, and a backup of it.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buildDomains } from '../domains.js'
import { loadConfig } from '../plugins/config.js'
import { makeBackup } from '../storage/backup/make-backup.js'
import { restoreBackup } from '../storage/backup/restore-backup.js'
import { lines } from './pages/lines.js'

const BUDGET_MS = 120_000

const facts = Number(process.argv[2] ?? 1_000_000)
const databaseUrl = process.argv[3] ?? null
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-backup-'))
const [from, to] = [join(folder, 'from'), join(folder, 'to')]
let isSlow = false
try {
  await fill()
  const file = join(folder, 'backup.db')
  await measure('backup', () => makeBackup({ dataDir: from }, file, Date.now()))
  console.log(`the backup: ${(statSync(file).size / 1e6).toFixed(0)} MB`)
  const options = { now: Date.now(), keepSignIns: false }
  await measure('restore', () => restoreBackup(file, { dataDir: to }, options))
  if (databaseUrl) {
    const place = { dataDir: join(folder, 'postgres'), databaseUrl }
    await measure('restore into Postgres', () => restoreBackup(file, place, options))
    await measure('backup of Postgres', () => makeBackup(place, join(folder, 'postgres.db'), Date.now()))
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.exitCode = isSlow ? 1 : 0

async function fill(): Promise<void> {
  const app = await buildDomains({ config: loadConfig({ DATA_DIR: from }) }, 'cli')
  await app.ready()
  const { id: owner } = await app.accounts.add('ann@example.org', 'correct horse battery')
  const safe = await app.safes.create(owner, 'Bench')
  const bytes = Readable.from(lines(facts)).map(line => Buffer.from(line))
  const { counts } = await app.safes.imports.add(owner, safe.id, {
    source: 'bench.jsonl',
    bytes,
    commit: true,
  })
  console.log(
    `${counts.entities} entities, ${counts.relations} relations, ${counts.passages} passages, Node ${process.version}`,
  )
  await app.close()
}

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  if (ms > BUDGET_MS) isSlow = true
  console.log(
    `${name}: ${(ms / 1000).toFixed(1)} s (budget ${BUDGET_MS / 1000} s${ms > BUDGET_MS ? ', missed' : ''})`,
  )
}
