// npm run bench -- build [FACTS] — time and memory of the process that builds the index of a Safe of FACTS facts (1,000,000), beside its limit.
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { ChildLimits } from '../../common/child.js'
import { openDatabase } from '../../storage/open-database.js'
import { generated } from './rows.js'
import { stored } from './stored-graph.js'

// As built: what runs TypeScript directly adds to the cost of every function.
const built = (file: string) => import(new URL(`../../dist/${file}.js`, import.meta.url).href)
const { memoryOf, startChild }: typeof import('../../common/child.js') = await built('common/child')
const { BuildProcess, buildLimits }: typeof import('../../safes/index/build-process.js') =
  await built('safes/index/build-process')
const FROM = new URL('../../dist/safes/index/index-thread.js', import.meta.url).href
const WATCH_MS = 10

const facts = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-build-'))
try {
  await (await stored(folder, generated(facts))).close()
  await commit()
  await measure()
} finally {
  rmSync(folder, { recursive: true })
}

/** Makes the stored rows those of a Safe. */
async function commit(): Promise<void> {
  const database = await openDatabase({ dataDir: folder, role: 'cli' })
  const report = JSON.stringify({
    counts: { entities: 0, relations: facts, passages: 0 },
    ...{ badLineCount: 0, badLines: [], problem: null, bytesRead: 0, bytesTotal: 0 },
  })
  for (const statement of [
    sql`insert into safes (id, name, version, content_hash, entities, relations, passages, created_at, import_count)
      values ('s', 'Safe', 1, 'hash', 0, ${facts}, 0, 0, 1)`,
    sql`insert into imports (safe_id, id, status, source, format, content_hash, report_json, lease_expires_at, created_by,
      created_at, committed_at) values ('s', 1, 'committed', 'a', 'jsonl', 'hash', ${report}, 0, 'ann', 0, 0)`,
  ])
    await database.write(trx => statement.execute(trx))
  await database.close()
}

async function measure(): Promise<void> {
  let child: ChildProcess | undefined
  const start = (limits: ChildLimits) => {
    child = startChild('build-worker', FROM, limits)
    return child
  }
  const builds = new BuildProcess({ dataDir: folder, databaseUrl: null }, start)
  let peak = 0
  const watching = setInterval(() => {
    peak = Math.max(peak, (child && memoryOf(child)) ?? 0)
  }, WATCH_MS)
  const began = performance.now()
  try {
    const { bytes } = await builds.build('s', [[1, 1]])
    const mb = (count: number) => `${(count / 1024 ** 2).toFixed(0)} MB`
    console.log(
      `${facts} facts: ${((performance.now() - began) / 1000).toFixed(1)} s, index ${mb(bytes.length)}, ` +
        `memory of the process ${mb(peak)} (limit ${buildLimits().memoryMb} MB)`,
    )
  } finally {
    clearInterval(watching)
    await builds.end()
  }
}
