// `npm ci` builds the service, so that `npm ci && npm start` is enough. `npm ci --omit=dev` runs this without the
// compiler: there the build is expected to be in place (Dockerfile), so do nothing.
import { existsSync } from 'node:fs'

if (existsSync('node_modules/esbuild')) await import('./build.mjs')
