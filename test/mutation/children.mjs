// Processes and threads that tests start run the changed code as well: they are told which change is on, and tell what
// they reach.
import childProcess from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import threads from 'node:worker_threads'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'

const TELLING = ['--import', new URL('in-child.mjs', import.meta.url).href]

export class Children {
  #env = {}
  #tests = []
  #folder = null

  /** To be called before the service is loaded, so that it starts its processes and threads in our way. */
  constructor() {
    const told = ({ execArgv = [], env = process.env, ...options } = {}) => ({
      ...options,
      execArgv: [...execArgv, ...(this.#folder ? TELLING : [])],
      env: { ...env, ...this.#env },
    })
    const { fork } = childProcess
    childProcess.fork = (file, args, options) => fork(file, args, told(options))
    threads.Worker = class extends threads.Worker {
      constructor(file, options) {
        super(file, told(options))
      }
    }
    syncBuiltinESMExports()
  }

  /** Those started from now on run with this change. */
  change(id) {
    this.#env = { [INSTRUMENTER_CONSTANTS.ACTIVE_MUTANT_ENV_VARIABLE]: id }
  }

  /** Those started from now on tell what they reach, for this test. */
  listen(test) {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'svc-mutation-'))
    this.#env = { MUTATION_REACHED: join(this.#folder, String(this.#tests.push(test) - 1)) }
  }

  /**
   * Adds what they have reached. Code that this process runs when it loads a module also runs there without a test.
   */
  addTo({ static: loaded, perTest }) {
    for (const name of readdirSync(this.#folder).filter(name => name.endsWith('.json'))) {
      const test = this.#tests[Number.parseInt(name, 10)]
      perTest[test] ??= {}
      for (const mutant of JSON.parse(readFileSync(join(this.#folder, name), 'utf8')))
        if (!loaded[mutant]) perTest[test][mutant] = (perTest[test][mutant] ?? 0) + 1
    }
    rmSync(this.#folder, { recursive: true })
    this.#folder = null
    this.#env = {}
  }
}
