import { mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopServers } from '../servers.js'
import { testFiles } from './files.js'
import { missingPrograms } from './needs.js'
import { runPool } from './pool.js'
import { Report } from './report.js'

const print = (text: string) => void process.stdout.write(text)

/** Runs the test files named by paths, folders or parts of paths; without any, those of `npm test`. @returns the exit code */
export async function run(names: readonly string[]): Promise<number> {
  const files = testFiles(names)
  if (files.length === 0) {
    print(`No test file has ${names.join(' or ')} in its path.\n`)
    return 1
  }
  const missing = files.every(file => file.startsWith('test/unit/')) ? null : missingPrograms()
  if (missing) {
    print(missing)
    return 1
  }
  const report = new Report(files.length, print)
  await withServers(env =>
    runPool({ files, jobs: availableParallelism(), env, onResult: result => report.add(result) }),
  )
  print(report.summary())
  return report.failed > 0 ? 1 : 0
}

/** Stops the servers that tests have started, also when the run is interrupted. */
export async function withServers(work: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const servers = mkdtempSync(join(tmpdir(), 'svc-test-servers-'))
  const interrupted = (signal: NodeJS.Signals) => {
    stopServers(servers)
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    await work({ TEST_SERVERS: servers })
  } finally {
    stopServers(servers)
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}
