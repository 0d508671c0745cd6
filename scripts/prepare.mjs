// npm's script `prepare`. After `npm ci` it builds the service, so that `npm ci && npm start` works. It does nothing
// after `npm ci --omit=dev`, where the compiler is missing and the build already exists. Before `npm pack` it builds,
// too, lists the packages and puts the package.json of the packed file in place; `postpack` puts the whole one back.
import { existsSync } from 'node:fs'
import { replacePackage } from './packed-package.mjs'
import { writeSbom } from './sbom.mjs'

if (existsSync('node_modules/esbuild')) {
  console.log('Building the service into dist/ …')
  await import('./build.mjs')
  console.log('Built. Start it with npm start.')
}
if (process.env.npm_command === 'pack') {
  writeSbom()
  replacePackage()
}
