// npm run bench -- hostile-files [FILES] — the longest that the main thread works without a pause while files are read
// that each once held it for seconds, and FILES (1,000) that are put together at random: milliseconds of processor time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { attacks, type HostileFile, hostileFile } from '../../test/deep/faults/hostile-files.js'
import { watchTurns } from './watch-turns.js'

/** Milliseconds. */
const BUDGET = 20
const count = Number(process.argv[2] ?? 1_000)
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const config = loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', BASE_URL: 'http://127.0.0.1:1' })
const app = await buildDomains({ config, clock: Date.now }, 'server')
await app.ready()
try {
  const { id: ann } = await app.accounts.add('bench@example.com', 'correct horse battery', 'admin')
  const { id: safe } = await app.safes.create(ann, 'Files')
  for (const file of attacks.slice(0, 2)) await read(app, ann, safe, file)
  const watch = watchTurns(1)
  for (const file of attacks) await read(app, ann, safe, file)
  report(`${attacks.length} attacks`, await watch.longest())
  for (let number = 0; number < count; number++) await read(app, ann, safe, hostileFile(number))
  report(`${count} files put together at random`, await watch.longest())
  watch.stop()
} finally {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
}

async function read(app: FastifyInstance, ann: string, safe: string, { format, text }: HostileFile) {
  const bytes = Readable.from([Buffer.from(text)])
  const options = { source: 'hostile', format, bytes, skipBad: true, commit: false }
  const done = await app.safes.imports.add(ann, safe, options)
  if (done.status === 'staged') await app.safes.imports.undo(ann, safe, done.id)
}

function report(what: string, ms: number): void {
  console.log(`${what}: longest turn ${ms.toFixed(1)} ms of processor time (budget ${BUDGET} ms)`)
  if (ms > BUDGET) process.exitCode = 1
}
