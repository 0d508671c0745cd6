#!/usr/bin/env node
import { run } from './cli/run.js'

const { env, stdin, stdout, stderr } = process
// What the data folder holds is for this user only.
process.umask(0o077)
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
