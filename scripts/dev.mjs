// npm run dev: compiles what changes and starts the server anew. The threads it starts need compiled files, which is
// why the sources are not run directly.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const compiling = spawn(
  process.execPath,
  [compiler, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
let server

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
compiling.once('exit', stop)

for await (const line of createInterface({ input: compiling.stdout })) {
  process.stdout.write(`${line}\n`)
  if (server || !line.includes('Watching for file changes')) continue
  server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'dist/server.js'], {
    stdio: 'inherit',
  })
  server.once('exit', stop)
}

function stop() {
  compiling.kill()
  server?.kill()
}
