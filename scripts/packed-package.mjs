// The package.json of the packed file: what runs is built, so it needs the external packages only, and no scripts.
//   node scripts/packed-package.mjs             prints it (Dockerfile)
//   node scripts/packed-package.mjs --restore   puts the whole package.json back: after `npm pack` (npm's script
//                                               `postpack`), or by hand when that was interrupted
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { EXTERNAL } from './external-packages.mjs'

/** Where the whole package.json is while `npm pack` runs. */
const WHOLE = 'dist/package.json.whole'

/** Gives `npm pack` the short package.json. It is renamed into place, so that it is never half written. */
export function replacePackage() {
  writeFileSync(WHOLE, readFileSync('package.json'))
  writeFileSync('dist/package.json.packed', packedPackage())
  renameSync('dist/package.json.packed', 'package.json')
}

function restorePackage() {
  if (existsSync(WHOLE)) renameSync(WHOLE, 'package.json')
}

function packedPackage() {
  const { scripts, dependencies, optionalDependencies, devDependencies, overrides, allowScripts, ...rest } =
    JSON.parse(readFileSync('package.json', 'utf8'))
  const missing = EXTERNAL.filter(name => !(name in { ...dependencies, ...optionalDependencies }))
  if (missing.length > 0) throw new Error(`not in dependencies: ${missing.join(', ')}`)
  const external = all => Object.fromEntries(Object.entries(all).filter(([name]) => EXTERNAL.includes(name)))
  const packed = {
    ...rest,
    dependencies: external(dependencies),
    optionalDependencies: external(optionalDependencies),
  }
  return `${JSON.stringify(packed, null, 2)}\n`
}

if (import.meta.filename === process.argv[1]) {
  if (process.argv.includes('--restore')) restorePackage()
  else process.stdout.write(packedPackage())
}
