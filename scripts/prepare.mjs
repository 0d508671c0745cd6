// Runs after `npm ci` and builds the service, so that `npm ci && npm start` works. It is npm's script `dependencies`
// instead of `prepare`, because npm warns whoever installs the packed service of a `prepare`. Does nothing after
// `npm ci --omit=dev`, where the compiler is missing and the build already exists (Dockerfile).
import { existsSync } from 'node:fs'

if (existsSync('node_modules/esbuild')) await import('./build.mjs')
