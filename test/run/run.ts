import { constants } from 'node:os'
import { PARTS, type Part } from '../deep/parts.js'
import { makeRunFolder, stopServers } from '../servers.js'
import { chooseParts, endsInTime } from './choose-parts.js'
import { partsNamed, runParts } from './deep.js'
import { testFiles } from './files.js'
import { lacksServers, missingPrograms } from './needs.js'
import { runPool } from './pool.js'
import { Report } from './report.js'
import { changedSince, recall, remember } from './rotation.js'

/** The minutes that `.ci/run` has left for parts of the deep tests, out of its 20. */
const CI_MINUTES = 12

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const print = (text: string) => void process.stdout.write(text)

/**
 * `--deep [NAME …]` runs parts of the deep tests, by default all; `--ci` the tests of `npm test` and the parts that are
 * due; any other words select test files by their paths, by default those of `npm test`.
 * @returns the exit code
 */
export async function run([first, ...rest]: readonly string[]): Promise<number> {
  if (first === '--deep') return runDeep(rest)
  if (first === '--ci') return runCi()
  return runFiles(first === undefined ? [] : [first, ...rest])
}

async function runFiles(words: readonly string[]): Promise<number> {
  const files = testFiles(words)
  if (files.length === 0) {
    print(`No test file has ${words.join(' or ')} in its path.\n`)
    return 1
  }
  if (files.some(file => !file.startsWith('test/unit/')) && lacksPrograms()) return 1
  const report = new Report(print)
  await withServers(env => runThrough(files, env, report))
  print(report.summary())
  return report.failed > 0 ? 1 : 0
}

async function runDeep(names: readonly string[]): Promise<number> {
  const parts = partsNamed(names)
  if (lacksPrograms(parts)) return 1
  const report = new Report(print)
  const { red } = await withServers(env => runParts(parts, env, report))
  print(report.summary())
  return red.length > 0 ? 1 : 0
}

async function runCi(): Promise<number> {
  const memory = recall()
  const isWhole = process.env.DEEP === 'all'
  const lacking = PARTS.filter(part => lacksServers(part))
  const possible = PARTS.filter(part => !lacking.includes(part))
  const budget = isWhole ? Number.POSITIVE_INFINITY : CI_MINUTES
  const choice = chooseParts(possible, changedSince(memory.commit), memory.waited, budget)
  print(`Deep parts: ${namesOf(choice.run)}. Not in this run: ${namesOf([...choice.left, ...lacking])}.\n`)
  if (lacksPrograms(choice.run)) return 1
  const report = new Report(print)
  // Time to install and check before the tests counts as well.
  const before = Number(process.env.CI_SECONDS ?? 0) / 60
  const minutes = () => performance.now() / 60_000
  const ran = await withServers(async env => {
    const from = minutes()
    await runThrough(testFiles([]), env, report)
    const tests = minutes() - from
    const isInTime = (part: Part) => isWhole || endsInTime(part, before + minutes(), tests)
    return runParts(choice.run, env, report, isInTime)
  })
  remember(memory, ran.parts)
  print(
    `Parts that were not run: ${namesOf(PARTS.filter(part => !ran.parts.includes(part)))}\n${report.summary()}`,
  )
  return report.failed > 0 || ran.red.length > 0 ? 1 : 0
}

const namesOf = (parts: readonly Part[]) => parts.map(({ name }) => name).join(', ') || 'none'

async function runThrough(files: readonly string[], env: Record<string, string>, report: Report) {
  report.expect(files.length)
  await runPool([{ files, env, onResult: result => report.add(result) }])
}

function lacksPrograms(parts: readonly Part[] = []): boolean {
  const missing = missingPrograms(parts)
  if (missing) print(missing)
  return missing !== null
}

/** Stops everything that tests have started and removes their files, also after an interrupted run. */
export async function withServers<T>(work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const env = makeRunFolder()
  const interrupted = (signal: NodeJS.Signals) => {
    stopServers(env.TEST_SERVERS)
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of INTERRUPTIONS) process.once(signal, interrupted)
  try {
    return await work(env)
  } finally {
    stopServers(env.TEST_SERVERS)
    for (const signal of INTERRUPTIONS) process.off(signal, interrupted)
  }
}
