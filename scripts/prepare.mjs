// `npm ci` builds the service, so that `npm ci && npm start` is enough. `npm ci --omit=dev` runs this too,
// without a compiler: there the build is expected to be in place already (Dockerfile), so do nothing.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
let compiler
try {
  compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
} catch {
  process.exit(0)
}
const build = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
process.exit(build.status ?? 1)
