// A test runner for Stryker that runs all tap tests in one process. Stryker's own runner for tap starts a process
// per mutant and test file, which takes longer than the tests themselves.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'

/** What instrumented code shares with the runner. */
globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {}
const instrumenter = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE]

class TapInProcess {
  static inject = tokens(commonTokens.options)
  #options
  #tests = new Map()
  #kills = new Map()

  constructor(options) {
    this.#options = options.tapInProcess
  }

  capabilities() {
    return { reloadEnvironment: false }
  }

  async dryRun({ files = [], disableBail }) {
    await this.#load()
    const ids = [...this.#tests.keys()].filter(id => files.some(file => reaches(id, file)))
    const result = await this.#run(ids, disableBail)
    return { ...result, mutantCoverage: instrumenter.mutantCoverage }
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, disableBail, hitLimit }) {
    if (mutantActivation === 'static') instrumenter.activeMutant = activeMutant.id
    await this.#load()
    instrumenter.activeMutant = activeMutant.id
    instrumenter.hitCount = hitLimit ? 0 : undefined
    instrumenter.hitLimit = hitLimit
    const result = await this.#run(this.#inOrder(testFilter, activeMutant), disableBail)
    this.#remember(activeMutant, result)
    return toMutantRunResult(determineHitLimitReached(instrumenter.hitCount, hitLimit) ?? result)
  }

  #remember({ fileName }, { tests }) {
    for (const { id } of tests.filter(({ status }) => status === TestStatus.Failed))
      this.#kills.set(`${fileName} ${id}`, (this.#kills.get(`${fileName} ${id}`) ?? 0) + 1)
  }

  /** First the tests that noticed most of the other mutants of the file. */
  #inOrder(filter, { fileName }) {
    const ids = filter ? [...this.#tests.keys()].filter(id => filter.includes(id)) : [...this.#tests.keys()]
    const kills = id => this.#kills.get(`${fileName} ${id}`) ?? 0
    return ids.filter(id => reaches(id, fileName)).sort((a, b) => kills(b) - kills(a))
  }

  async #run(ids, disableBail) {
    const tests = []
    for (const id of ids) {
      instrumenter.currentTestId = id
      const start = performance.now()
      const { file, run } = this.#tests.get(id)
      const failureMessage = await run()
      const result = { id, name: id, fileName: resolve(file), timeSpentMs: performance.now() - start }
      tests.push(
        failureMessage === null
          ? { ...result, status: TestStatus.Success }
          : { ...result, status: TestStatus.Failed, failureMessage },
      )
      if (failureMessage !== null && !disableBail) break
    }
    instrumenter.currentTestId = undefined
    return { status: DryRunStatus.Complete, tests }
  }

  async #load() {
    if (this.#tests.size) return
    keepMessages()
    const { default: tap, Test } = await import('tap')
    tap.setTimeout(0)
    const { folders, without } = this.#options
    for (const file of folders.flatMap(testFiles)) {
      const hooks = []
      tap.beforeEach = hook => hooks.push(hook)
      tap.teardown = () => {}
      tap.test = (name, test) => {
        const id = `${file}: ${name}`
        if (!without.some(part => id.includes(part)))
          this.#tests.set(id, { file, run: () => runTest(Test, name, hooks, test) })
      }
      await import(pathToFileURL(resolve('.transpiled', file.replace(/\.ts$/, '.js'))).href)
    }
  }
}

/** tap tells the parent process what it does. Here that is Stryker, which expects strings only. */
function keepMessages() {
  const { send } = process
  process.send = (message, ...more) => typeof message !== 'string' || send.call(process, message, ...more)
}

/** What is no store is tested with one of the stores: with the others, the tests would do the same again. */
const reaches = (id, fileName) =>
  fileName.includes('/stores/') || !/: (redis|postgres)\b|\b(redis|postgres)\)?$/.test(id)

const testFiles = folder =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter(name => name.endsWith('.test.ts'))
        .map(name => join(folder, name))
    : []

/** Runs a test up to its first failure. Returns `null`, or what failed. */
async function runTest(Test, name, hooks, test) {
  const root = new Test({ name, bail: true })
  const output = []
  root.on('data', chunk => output.push(chunk))
  for (const hook of hooks) root.beforeEach(hook)
  const stopped = new Promise(resolve => root.once('bailout', resolve))
  await Promise.race([root.test(name, test), stopped])
  return root.passing() ? null : output.join('')
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'tap-in-process', TapInProcess)]
