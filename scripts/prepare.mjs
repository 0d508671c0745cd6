// `npm ci` builds the service, so that `npm ci && npm start` is enough, and the test runner for the plugins that .taprc
// names: a first run with others would do it, too, and then still load those (ts-node, 18 s of CPU for each file).
// `npm ci --omit=dev` runs this without either: there the build is expected to be in place (Dockerfile), so do nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

if (!existsSync('node_modules/typescript')) process.exit(0)
const run = async (...args) => {
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')
  return code === 0
}
const done = await Promise.all([
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'),
  run('node_modules/tap/dist/esm/run.mjs', 'build'),
])
process.exit(done.every(Boolean) ? 0 : 1)
