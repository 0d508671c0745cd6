// npm run dev: compiles on every change and restarts the server. The sources are not run directly, because
// worker threads need compiled files.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const compilation = spawn(
  process.execPath,
  [compiler, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
let server

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
compilation.once('exit', stop)

for await (const line of createInterface({ input: compilation.stdout })) {
  process.stdout.write(`${line}\n`)
  if (server || !line.includes('Watching for file changes')) continue
  server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'dist/server.js'], {
    stdio: 'inherit',
  })
  server.once('exit', stop)
}

function stop() {
  compilation.kill()
  server?.kill()
}
