// npm test, and its parts: see CONTRIBUTING.md. Transpiles, then runs `run.ts`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transpile } from './transpile.mjs'

// The reader of the output may close it early.
process.stdout.on('error', () => {})

const folder = await transpile()
const { run } = await import(pathToFileURL(join(folder, 'test', 'run', 'run.js')).href)
process.exitCode = await run(process.argv.slice(2))
