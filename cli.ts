#!/usr/bin/env node
import './platform/common/node-version.js'

const { outputTo } = await import('./cli/file-output.js')
const { endAnyway } = await import('./cli/last-resort.js')
const { run } = await import('./cli/run.js')

const { env, stdin } = process
const stdout = outputTo(1, process.stdout)
const stderr = outputTo(2, process.stderr)
// What the data folder holds is for this user only.
process.umask(0o077)
// Messages and results that cannot be written, because the disk is full, stop no command.
stderr.on('error', () => {})
let outputError: Error | null = null
stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader may stop early (`svc help | head`).
  if (error.code === 'EPIPE') process.exit()
  outputError = error
})
let isServer = false
// The server takes over this process, until a signal ends it.
const startServer = async () => {
  isServer = true
  await import('./serve.js')
}
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr, startServer })
if (outputError && process.exitCode === 0) {
  stderr.write(`Could not write the output: ${(outputError as Error).message}\n`)
  process.exitCode = 1
}
if (!isServer) endAnyway({ stdout, stderr, exit: () => process.exit() })
