// Loaded first in every process and thread that a test starts: writes down which changes it reaches. Again and again,
// because it may be ended at any time.
import { renameSync, writeFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'

const WRITING_MS = 50
const file = `${process.env.MUTATION_REACHED}-${process.pid}-${threadId}.json`
let written = 0

function write() {
  const reached = Object.keys(globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE]?.mutantCoverage?.static ?? {})
  if (reached.length === written) return
  written = reached.length
  writeFileSync(`${file}.new`, JSON.stringify(reached))
  renameSync(`${file}.new`, file)
}

setInterval(write, WRITING_MS).unref()
process.on('exit', write)
