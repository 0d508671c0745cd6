// A test runner for Stryker that runs all tap tests in one process. Stryker's own runner for tap starts a process
// per mutant and test file, which takes longer than the tests themselves.
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { Children } from './children.mjs'

/** What instrumented code shares with the runner. */
globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {}
const instrumenter = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE]

class TapInProcess {
  static inject = tokens(commonTokens.options)
  #options
  #children = new Children()
  #tests = new Map()
  #kills = new Map()
  #times = new Map()

  constructor(options) {
    this.#options = options.tapInProcess
  }

  capabilities() {
    return { reloadEnvironment: false }
  }

  async dryRun({ files = [], disableBail }) {
    await this.#load()
    const ids = [...this.#tests.keys()].filter(id => files.some(file => reaches(id, file)))
    const result = await this.#run(ids, disableBail, id => this.#children.listen(id))
    for (const { id, timeSpentMs } of result.tests) this.#times.set(id, timeSpentMs)
    const { mutantCoverage } = instrumenter
    this.#children.addTo(mutantCoverage)
    return { ...result, mutantCoverage }
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, disableBail, hitLimit }) {
    if (mutantActivation === 'static') instrumenter.activeMutant = activeMutant.id
    await this.#load()
    instrumenter.activeMutant = activeMutant.id
    this.#children.change(activeMutant.id)
    instrumenter.hitCount = hitLimit ? 0 : undefined
    instrumenter.hitLimit = hitLimit
    const until = performance.now() + this.#options.longestMs
    const isLate = () => performance.now() > until
    const result = await this.#run(this.#inOrder(testFilter, activeMutant), disableBail, () => {}, isLate)
    this.#remember(activeMutant, result)
    return toMutantRunResult(determineHitLimitReached(instrumenter.hitCount, hitLimit) ?? result)
  }

  #remember({ fileName }, { tests }) {
    for (const { id } of tests.filter(({ status }) => status === TestStatus.Failed))
      this.#kills.set(`${fileName} ${id}`, (this.#kills.get(`${fileName} ${id}`) ?? 0) + 1)
  }

  /** First tests that noticed other mutants of the file, then those named like it, then those of the room, the quickest first. */
  #inOrder(filter, { fileName }) {
    const ids = filter ? [...this.#tests.keys()].filter(id => filter.includes(id)) : [...this.#tests.keys()]
    const kills = id => this.#kills.get(`${fileName} ${id}`) ?? 0
    const time = id => this.#times.get(id) ?? 0
    const name = basename(fileName).split('.', 1)[0]
    const isNamed = id => Number(id.includes(name))
    const isOwn = id => Number(this.#tests.get(id).isOwn)
    return ids
      .filter(id => reaches(id, fileName))
      .sort(
        (a, b) => kills(b) - kills(a) || isNamed(b) - isNamed(a) || isOwn(b) - isOwn(a) || time(a) - time(b),
      )
  }

  async #run(ids, disableBail, before, isLate = () => false) {
    const tests = []
    for (const id of ids) {
      instrumenter.currentTestId = id
      before(id)
      const start = performance.now()
      const { file, run } = this.#tests.get(id)
      const failureMessage = await run()
      const result = { id, name: id, fileName: resolve(file), timeSpentMs: performance.now() - start }
      tests.push(
        failureMessage === null
          ? { ...result, status: TestStatus.Success }
          : { ...result, status: TestStatus.Failed, failureMessage },
      )
      if ((failureMessage !== null && !disableBail) || isLate()) break
    }
    instrumenter.currentTestId = undefined
    return { status: DryRunStatus.Complete, tests }
  }

  async #load() {
    if (this.#tests.size) return
    keepMessages()
    const { default: tap, Test } = await import('tap')
    tap.setTimeout(0)
    const { own, others, without } = this.#options
    for (const file of [...own, ...others].flatMap(testFiles)) {
      const isOwn = own.some(folder => file.startsWith(`${folder}/`))
      const hooks = []
      tap.beforeEach = hook => hooks.push(hook)
      tap.teardown = () => {}
      tap.test = (name, test) => {
        const id = `${file}: ${name}`
        if (!without.some(part => id.includes(part)))
          this.#tests.set(id, { file, isOwn, run: () => runTest(Test, name, hooks, test) })
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

/** Code other than stores is tested with one of the stores: with the others, the tests would repeat themselves. */
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
