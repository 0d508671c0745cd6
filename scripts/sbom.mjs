// node scripts/sbom.mjs: writes `dist/sbom.json`, a CycloneDX list of the packages that run, in the bundles or installed
// with them, in the versions of the lock file and with their licenses. `npm pack` and the Dockerfile run it after the build.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const LIST = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
/** The npm that runs this, if one does. */
const [COMMAND, ...BEFORE] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
const isTool = ({ name }) => name === 'cdx:npm:package:development'

/** Writes `dist/sbom.json`. */
export function writeSbom() {
  const list = JSON.parse(
    execFileSync(COMMAND, [...BEFORE, ...LIST], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  )
  // `--omit dev` also omits packages that tools need as well (npm 11.19).
  list.components = list.components.filter(({ properties = [] }) => !properties.some(isTool))
  const refs = new Set([list.metadata.component, ...list.components].map(({ 'bom-ref': ref }) => ref))
  list.dependencies = list.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(other => refs.has(other)) }))
  // npm takes the name of the folder.
  list.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name
  writeFileSync('dist/sbom.json', `${JSON.stringify(list, null, 1)}\n`)
}

if (import.meta.filename === process.argv[1]) writeSbom()
