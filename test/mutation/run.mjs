// npm run mutation -- [--unit] [--sample 60 [--after 60]] --mutate 'domain/oauth/token/**/*.ts': changes the code in many small
// ways and reports the changes that no test notices (docs/mutation.md). `--unit` runs only the tests that need no
// server, `--sample` changes only so many windows of six lines, with `--after` those behind so many others; the other
// options are those of `stryker run`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackages } from '../../scripts/install-packages.mjs'
import { transpile } from '../run/transpile.mjs'
import { sample } from './sample.mjs'

const options = process.argv.slice(2)
const isUnit = takeOption('--unit')
const windows = takeOption('--sample', 1)
const [after = 0] = takeOption('--after', 1) ?? []
const [mutated] = takeOption('--mutate', 1) ?? []
const patterns = mutated?.split(',') ?? []
const rooms = [
  ...new Set(patterns.map(pattern => pattern.replace(/^(?:domain|engine|platform)\//, '').split('/')[0])),
]
const settings = { MUTATION_ROOMS: rooms.join(','), MUTATION_TESTS: isUnit ? 'unit' : 'all' }
if (mutated) {
  const parts = windows ? sample(patterns, Number(windows[0]), Number(after)) : patterns
  options.push('--mutate', parts.join(','))
}

if (rooms.includes('accounts') && !isUnit) installPackages('test/deep')

const { withServers } = await import(pathToFileURL(join(await transpile(), 'test', 'run', 'run.js')).href)
await withServers(async env => {
  const stryker = ['test/mutation/node_modules/.bin/stryker', 'run', 'test/mutation/stryker.config.mjs']
  const { status } = spawnSync(process.execPath, [...stryker, ...options], {
    stdio: 'inherit',
    env: { ...process.env, ...env, ...settings },
  })
  process.exitCode = status ?? 1
})

/** Removes an option and its values from `options`. Returns the values, or undefined without the option. */
function takeOption(name, values = 0) {
  const at = options.indexOf(name)
  return at === -1 ? undefined : options.splice(at, values + 1).slice(1)
}
