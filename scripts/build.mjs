// npm run build [-- --to FOLDER]: the service in FOLDER or `dist`. What a start loads is bundled, its packages included
// (decision 33): finding and compiling over a thousand files is most of a start. `--files` writes each source apart instead, for
// benches that import parts of the service. Types are CI's business (`npm run typecheck`).
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const { values: options } = parseArgs({
  options: { files: { type: 'boolean', default: false }, to: { type: 'string', default: 'dist' } },
})
const OTHERS = new Set(['bench', 'data', 'dist', 'docs', 'node_modules', 'test'])
const outdir = resolve(options.to)
const common = {
  outdir,
  outbase: '.',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
}

/**
 * Left in `node_modules`: what is native, what reads files or starts threads of its own, what a start does not need,
 * and what imports a CommonJS package dynamically (`checkImports`).
 */
const EXTERNAL = [
  '@fastify/cookie',
  '@fastify/static',
  '@photostructure/sqlite',
  'better-sqlite3',
  'csv-parse',
  'csv-stringify',
  'ioredis',
  'n3',
  'pg',
  'pino',
  'yaml',
  'yauzl',
]

/** CommonJS packages reach what Node brings by `require`, which an ES module has not. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`
const PART = 'part-'

/** Each source keeps the URL it would have if it were built apart, whatever part it is put in: parts lie in `outdir` itself. */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes('import.meta.url')) return
      const built = relative('.', path).split(sep).join('/').replace(/\.ts$/, '.js')
      const own = `new URL(${JSON.stringify(`./${built}`)}, import.meta.url).href`
      return { contents: source.replaceAll('import.meta.url', own), loader: 'ts' }
    })
  },
}

if (options.files) await build({ ...common, entryPoints: sources(), bundle: false })
else await bundle()

async function bundle() {
  const threads = sources().filter(file => file.endsWith('-worker.ts'))
  removeParts()
  const { metafile } = await build({
    ...common,
    entryPoints: ['server.ts', 'cli.ts', ...threads],
    bundle: true,
    splitting: true,
    chunkNames: `${PART}[hash]`,
    external: EXTERNAL,
    banner: { js: REQUIRE },
    legalComments: 'none',
    plugins: [ownUrls],
    metafile: true,
  })
  checkUrls(metafile)
  checkImports(metafile)
}

/** @throws when a source with a URL of its own is in a file that does not lie in `outdir` itself */
function checkUrls({ outputs }) {
  for (const [output, { inputs }] of Object.entries(outputs)) {
    if (output.endsWith('.map') || resolve(output, '..') === outdir) continue
    for (const file of Object.keys(inputs))
      if (file.endsWith('.ts') && readFileSync(file, 'utf8').includes('import.meta.url'))
        throw new Error(`${file} asks for its URL, and is only part of ${output}`)
  }
}

/** @throws when a CommonJS package is bundled that is imported dynamically: its named exports would be missing */
function checkImports({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { kind, external, path } of imports)
      if (kind === 'dynamic-import' && !external && inputs[path]?.format !== 'esm')
        throw new Error(`${file} imports ${path} dynamically: one of the two has to be in EXTERNAL`)
}

/** Of builds before: their names change with what is in them. */
function removeParts() {
  for (const name of names(outdir)) if (name.startsWith(PART)) rmSync(join(outdir, name))
}

function names(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function sources() {
  const found = readdirSync('.', { withFileTypes: true })
  const folders = found.filter(
    entry => entry.isDirectory() && !entry.name.startsWith('.') && !OTHERS.has(entry.name),
  )
  const inside = folders.flatMap(({ name }) =>
    readdirSync(name, { recursive: true }).map(file => `${name}/${file}`),
  )
  return [...found.map(({ name }) => name), ...inside].filter(file => file.endsWith('.ts'))
}
