// Runs after `npm ci` and builds the service, so that `npm ci && npm start` works. Does nothing after
// `npm ci --omit=dev`, where the compiler is missing and the build already exists (Dockerfile).
import { existsSync } from 'node:fs'

if (existsSync('node_modules/esbuild')) await import('./build.mjs')
