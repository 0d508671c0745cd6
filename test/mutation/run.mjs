// npm run mutation -- [--unit] --mutate 'oauth/token/**/*.ts': changes the code in many small ways and reports the
// changes that no test notices (docs/mutation.md). `--unit` runs only the tests that need no server; the other options
// are those of `stryker run`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transpile } from '../run/transpile.mjs'

const options = process.argv.slice(2)
const isUnit = options[0] === '--unit'
const mutated = options[options.indexOf('--mutate') + 1]
const rooms = options.includes('--mutate') ? mutated.split(',').map(pattern => pattern.split('/')[0]) : []
const settings = { MUTATION_ROOMS: rooms.join(','), MUTATION_TESTS: isUnit ? 'unit' : 'all' }

const { withServers } = await import(pathToFileURL(join(await transpile(), 'test', 'run', 'run.js')).href)
await withServers(async env => {
  const stryker = ['test/mutation/node_modules/.bin/stryker', 'run', 'test/mutation/stryker.config.mjs']
  const { status } = spawnSync(process.execPath, [...stryker, ...options.slice(isUnit ? 1 : 0)], {
    stdio: 'inherit',
    env: { ...process.env, ...env, ...settings },
  })
  process.exitCode = status ?? 1
})
