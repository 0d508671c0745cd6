// npm run mutation [-- [--unit] --mutate 'oauth/token/**/*.ts']: changes the code in many small ways and reports
// the changes that no test notices (docs/mutation.md). `--unit` runs only the tests that need no server; the other
// options are those of `stryker run`.
import { spawnSync } from 'node:child_process'
import { withServers } from '../run/run.js'

const [first, ...rest] = process.argv.slice(2)
if (first === '--unit') process.exit(run('unit.config.mjs', rest, {}))
await withServers(async env => {
  process.exitCode = run('stryker.config.mjs', process.argv.slice(2), env)
})

function run(config: string, options: string[], env: Record<string, string>): number {
  const stryker = ['test/mutation/node_modules/.bin/stryker', 'run', `test/mutation/${config}`]
  const settings = { ...process.env, ...env }
  return (
    spawnSync(process.execPath, [...stryker, ...options], { stdio: 'inherit', env: settings }).status ?? 1
  )
}
