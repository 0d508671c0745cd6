// npm run build [-- --to FOLDER]: builds the service into FOLDER, by default `dist`, as bundles that include
// most packages (decision 20), because finding and compiling over a thousand files dominates the start-up
// time. `--files` compiles each source to its own file instead, for benchmarks that import parts of the
// service. Does not check types (`npm run typecheck`).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { EXPORTS, EXTERNAL, LEFT_OUT } from './external-packages.mjs'

const { values: options } = parseArgs({
  options: { files: { type: 'boolean', default: false }, to: { type: 'string', default: 'dist' } },
})
const EXCLUDED = new Set(['bench', 'data', 'dist', 'docs', 'node_modules', 'test'])
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

/** Provides `require`, which bundled CommonJS packages use for Node's built-in modules. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`
const PART = 'part-'

/**
 * Gives each source the `import.meta.url` it would have as a separate file, in whichever bundle it ends up.
 * Bundles lie directly in `outdir`.
 */
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

/** Gives CommonJS packages that are imported dynamically the exports that are used. */
const commonJsExports = {
  name: 'common-js-exports',
  setup({ onResolve, onLoad }) {
    const namespace = 'common-js-exports'
    const filter = new RegExp(`^(?:${Object.keys(EXPORTS).join('|')})$`)
    onResolve({ filter }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path, namespace, pluginData: resolveDir } : undefined,
    )
    onLoad({ filter: /./, namespace }, ({ path, pluginData: resolveDir }) => ({
      contents: `export { ${EXPORTS[path].join(', ')} } from '${path}'`,
      resolveDir,
    }))
  },
}

/**
 * markdown-it is published with the fields of its classes set by a helper, a dozen calls for each token: a third of the time
 * that a document takes. Assignments do the same, as these classes have neither setters nor frozen prototypes.
 */
const plainFields = {
  name: 'plain-fields',
  setup({ onLoad }) {
    onLoad({ filter: /\bmarkdown-it\/dist\/markdown-it\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /_defineProperty\(\s*this,\s*(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?"(\w+)",\s*([\s\S]*?)\s*\);\n/g,
        'this.$1 = $2;\n',
      ),
      loader: 'js',
    }))
  },
}

/** What our packages load for features that the service replaces by its own. */
const leftOut = {
  name: 'left-out',
  setup({ onResolve, onLoad }) {
    const namespace = 'left-out'
    const filter = new RegExp(`^(?:${LEFT_OUT.join('|')})$`)
    onResolve({ filter }, ({ path }) => ({ path, namespace }))
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `module.exports = function () { throw new Error(${JSON.stringify(`${path} is not in the bundle`)}) }`,
    }))
  },
}

const app = await graphApp()
if (options.files) await build({ ...common, entryPoints: sources(), bundle: false })
else writeLicenses([...(await bundle()), ...app])

/** @returns the paths of all files that became part of a bundle */
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
    // V8 keeps the source of all that runs. Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    plugins: [ownUrls, commonJsExports, plainFields, leftOut],
    metafile: true,
  })
  checkUrls(metafile)
  checkImports(metafile)
  for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.js')) writeInAscii(file)
  return Object.keys(metafile.inputs)
}

/**
 * esbuild escapes all but ASCII, except in regular expressions; and a single letter beyond Latin-1 doubles the memory that V8
 * needs for the source of a whole file.
 */
function writeInAscii(file) {
  const code = readFileSync(file, 'utf8')
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error(`${file}: escape what is not ASCII in String.raw`)
  const escaped = code.replace(
    /[^\0-\x7f]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (escaped !== code) writeFileSync(file, escaped)
}

/**
 * Makes the page of `mcp/app/`, one file that contains its script (MCP Apps).
 * @returns the paths of all files that became part of it
 */
async function graphApp() {
  const { metafile, outputFiles } = await build({
    entryPoints: ['mcp/app/main.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
    metafile: true,
  })
  const html = readFileSync('mcp/app/graph.html', 'utf8').replace('/* SCRIPT */', () => outputFiles[0].text)
  mkdirSync(outdir, { recursive: true })
  writeFileSync(join(outdir, 'graph-app.html'), html)
  return Object.keys(metafile.inputs)
}

/** Writes `licenses.txt`: the licenses of bundled packages ask for a copy of their text in every copy of the code. */
function writeLicenses(inputs) {
  const folders = new Set(
    inputs.map(file => /.*\bnode_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean),
  )
  const texts = [...folders].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice|copying)/i.test(file))
    const text = files.map(file => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
    // The bundle must name the place of the source (MPL 2.0 §3.2).
    const source = license === 'MPL-2.0' ? `, source: https://www.npmjs.com/package/${name}/v/${version}` : ''
    return `${name} ${version} (${license})${source}\n\n${text}`.trim()
  })
  writeFileSync(join(outdir, 'licenses.txt'), `${texts.join(`\n\n${'='.repeat(80)}\n\n`)}\n`)
}

/**
 * @throws when a source that uses `import.meta.url` is bundled into a file outside the top level of `outdir`
 */
function checkUrls({ outputs }) {
  for (const [output, { inputs }] of Object.entries(outputs)) {
    if (output.endsWith('.map') || resolve(output, '..') === outdir) continue
    for (const file of Object.keys(inputs))
      if (file.endsWith('.ts') && readFileSync(file, 'utf8').includes('import.meta.url'))
        throw new Error(`${file} uses import.meta.url, but is bundled into ${output}`)
  }
}

/** @throws when a dynamically imported CommonJS package is bundled: its named exports would be missing */
function checkImports({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { kind, external, path } of imports)
      if (kind === 'dynamic-import' && !external && inputs[path]?.format !== 'esm')
        throw new Error(
          `${file} imports ${path} dynamically: add one of them to EXPORTS or EXTERNAL of external-packages.mjs`,
        )
}

/** Removes the chunks of previous builds, whose names contain hashes. */
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
    entry => entry.isDirectory() && !entry.name.startsWith('.') && !EXCLUDED.has(entry.name),
  )
  const inside = folders.flatMap(({ name }) =>
    readdirSync(name, { recursive: true }).map(file => `${name}/${file}`),
  )
  return [...found.map(({ name }) => name), ...inside].filter(
    file => file.endsWith('.ts') && !file.startsWith('mcp/app/'),
  )
}
