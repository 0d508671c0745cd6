#!/usr/bin/env node
import { endAnyway } from './cli/last-resort.js'
import { run } from './cli/run.js'

const { env, stdin, stdout, stderr } = process
// What the data folder holds is for this user only.
process.umask(0o077)
// Who reads the output may stop early (`svc help | head`): that is no error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
let isServer = false
// The server takes over this process, until a signal ends it.
const startServer = async () => {
  isServer = true
  await import('./server.js')
}
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr, startServer })
if (!isServer) endAnyway({ stdout, stderr, exit: () => process.exit() })
