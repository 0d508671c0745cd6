// Writes every TypeScript source as JavaScript into `.transpiled/`, where the tests run: a second the first time, only
// what has changed later. Everything else is linked, so that paths relative to a source find it there as well.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
const target = join(root, '.transpiled')
/** Neither sources nor read by them. The packages of the root are found above `.transpiled/`, those of a folder by a link. */
const LEFT_OUT = new Set([
  '.git',
  '.transpiled',
  '.stryker-tmp',
  'node_modules',
  'dist',
  'reports',
  'data',
  'package.json',
])

/** Packages of hundreds of small files, with what is imported of them. In few files they load in a tenth of the time. */
const PACKED = {
  kysely: [''],
  '@sinclair/typebox': ['', '/compiler', '/value'],
  fastify: [''],
  ioredis: [''],
  pg: [''],
  '@modelcontextprotocol/sdk': [
    '/client/auth.js',
    '/client/index.js',
    '/client/stdio.js',
    '/client/streamableHttp.js',
    '/server/index.js',
    '/server/streamableHttp.js',
    '/shared/auth.js',
    '/types.js',
    '/validation/ajv',
  ],
}

/** Without its `cache`: fastify would look there, among all modules, for the name of each plugin, a fiftieth of a run. */
const REQUIRE = `import { createRequire } from 'node:module'
const load = createRequire(import.meta.url)
const require = id => load(id)`

/** @returns the folder of the transpiled sources */
export async function transpile() {
  const changed = []
  mirror('', changed)
  for (const [name, paths] of Object.entries(PACKED)) await pack(name, paths)
  if (changed.length > 0) {
    await build({
      entryPoints: changed.map(file => join(root, file)),
      outbase: root,
      outdir: target,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'linked',
      sourcesContent: false,
      logLevel: 'warning',
    })
  }
  return target
}

/** Bundles a package, unless it is there in this version. */
async function pack(name, paths) {
  const folder = join(target, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
  const fileOf = path => `${(path || '/index').replace(/\.js$/, '')}.js`
  const exports = Object.fromEntries(paths.map(path => [`.${path}`, `.${fileOf(path)}`]))
  const description = JSON.stringify({ name, version, type: 'module', exports })
  const file = join(folder, 'package.json')
  if (existsSync(file) && readFileSync(file, 'utf8') === description) return
  rmSync(folder, { recursive: true, force: true })
  const sources = join(folder, 'sources')
  for (const path of paths) {
    makeFolder(dirname(join(sources, fileOf(path))))
    // Of a CommonJS package, esbuild would export only the whole.
    const names = Object.keys(await import(`${name}${path}`)).filter(each => /^\w+$/.test(each))
    const place = fileURLToPath(import.meta.resolve(`${name}${path}`))
    writeFileSync(join(sources, fileOf(path)), `export { ${names} } from ${JSON.stringify(place)}`)
  }
  await build({
    entryPoints: paths.map(path => join(sources, fileOf(path))),
    outbase: sources,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: REQUIRE },
    logLevel: 'warning',
  })
  rmSync(sources, { recursive: true })
  writeFileSync(file, description)
}

/** Makes one folder like its original, and adds to `changed` the sources that must be transpiled. */
function mirror(folder, changed) {
  makeFolder(join(target, folder))
  const wanted = new Set(folder === '' ? ['node_modules'] : [])
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (LEFT_OUT.has(path)) continue
    if (isSource(entry.name)) {
      const built = entry.name.replace(/\.ts$/, '.js')
      wanted.add(built).add(`${built}.map`)
      if (!isNewer(join(folder, built), path)) changed.push(path)
    } else {
      wanted.add(entry.name)
      const isPackages = entry.name === 'node_modules'
      if (entry.isDirectory() && !isPackages && hasSources(path)) mirror(path, changed)
      else link(path)
    }
  }
  // Packages of its own may be installed only after this.
  if (folder !== '' && wanted.has('package.json')) {
    wanted.add('node_modules')
    link(join(folder, 'node_modules'))
  }
  for (const name of readdirSync(join(target, folder)))
    if (!wanted.has(name)) rmSync(join(target, folder, name), { recursive: true })
}

const isSource = name => name.endsWith('.ts') && !name.endsWith('.d.ts')

const hasSources = folder =>
  readdirSync(join(root, folder), { withFileTypes: true }).some(
    entry =>
      entry.name !== 'node_modules' &&
      (entry.isDirectory() ? hasSources(join(folder, entry.name)) : isSource(entry.name)),
  )

function isNewer(built, source) {
  const found = statSync(join(target, built), { throwIfNoEntry: false })
  return found !== undefined && found.mtimeMs > statSync(join(root, source)).mtimeMs
}

/** A folder that had no sources before was a link to its original, which must not be written into. */
function makeFolder(place) {
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) rmSync(place)
  mkdirSync(place, { recursive: true })
}

function link(path) {
  const place = join(target, path)
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return
  if (found) rmSync(place, { recursive: true })
  symlinkSync(relative(dirname(place), join(root, path)), place)
}
