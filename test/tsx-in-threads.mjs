// Threads run the service as test/setup.ts built it: to start tsx in a thread takes half a second of processor time.
// What is not part of the service, or not built, runs as it is written; there `--import tsx` does nothing (isMainThread).
import { existsSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import threads, { isMainThread } from 'node:worker_threads'

if (isMainThread) useBuiltThreads()
else (await import('tsx/esm/api')).register()

function useBuiltThreads() {
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(file, options) {
      const built = builtFrom(file)
      super(built ?? file, built ? { ...options, execArgv: [] } : options)
    }
  }
  syncBuiltinESMExports()
}

function builtFrom(file) {
  const servers = new URL('servers.json', import.meta.url)
  const path = file instanceof URL ? fileURLToPath(file) : file
  if (!path.endsWith('.ts') || !existsSync(servers)) return null
  const { builtFolder } = JSON.parse(readFileSync(servers, 'utf8'))
  const root = fileURLToPath(new URL('..', import.meta.url))
  const built = join(builtFolder, 'dist', relative(root, path).replace(/\.ts$/, '.js'))
  return existsSync(built) ? built : null
}
