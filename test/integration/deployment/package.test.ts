import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { dataDir } from '../../data-dir.js'
import { builtFolder } from '../../servers.js'

const run = promisify(execFile)
const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd })

/** The content of the package, apart from `dist/part-….js`. */
const FOLDERS = ['deploy', 'dist', 'domain', 'public', 'views']
const DATA = ['engine/formats/office/character-maps.json', 'engine/graph/text/languages/words.json']
const FILES = ['CHANGELOG.md', 'README.md', ...DATA, 'package.json']

const folder = dataDir(t)
const source = join(folder, 'source')
cpSync(await builtFolder(), source, {
  recursive: true,
  dereference: true,
  filter: file => !/node_modules/.test(file),
})
for (const file of ['deploy', 'scripts', 'README.md', 'CHANGELOG.md', 'package-lock.json'])
  cpSync(join(rootDir, file), join(source, file), { recursive: true })
// Leftovers of an earlier build for benchmarks, and other unneeded files.
mkdirSync(join(source, 'dist', 'bench'), { recursive: true })
for (const left of ['dist/bench/requests.js', 'dist/app.js.map', 'test.ts', '.env'])
  cpSync(join(rootDir, 'cli.ts'), join(source, left))
const whole = readFileSync(join(source, 'package.json'), 'utf8')
const packed = await npm(source, 'pack', '--json', '--pack-destination', folder)
const [{ filename, size, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n'))) as [Packed]

interface Packed {
  filename: string
  size: number
  files: { path: string }[]
}

t.test('the package holds what runs, and nothing of tests, benchmarks or sources', async t => {
  for (const { path } of files) {
    const [top = ''] = path.split('/')
    t.ok(FOLDERS.includes(top) || FILES.includes(path), path)
    t.notMatch(path, /\.(map|ts)$|test|bench/, path)
  }
  for (const path of [
    'deploy/svc.service',
    'dist/cli.js',
    'dist/server.js',
    'dist/licenses.txt',
    'dist/sbom.json',
    'deploy/man/svc.1',
    'dist/graph-app.html',
  ])
    t.ok(
      files.some(file => file.path === path),
      path,
    )
  t.ok(size < 2_800_000, `${size} bytes`)
})

t.test('bundled packages come with their licenses, and are not installed again', async t => {
  const { stdout } = await run('tar', ['-xzOf', join(folder, filename), 'package/package.json'])
  const { dependencies, ...rest } = JSON.parse(stdout)
  t.notMatch(rest, { scripts: {} }, 'npm warns of a script `prepare`')
  t.notMatch(rest, { devDependencies: {} })
  for (const name of ['typescript', 'esbuild', 'tap', 'tsx']) t.notOk(name in dependencies, name)
  const licenses = readFileSync(join(source, 'dist', 'licenses.txt'), 'utf8')
  for (const text of licenses.split(`${'='.repeat(80)}\n`))
    t.match(
      text,
      /^\s*\S+ [\d.]+ \((?:(?:\(MIT (?:OR|AND) \S+\)|MIT|MIT-0|ISC|0BSD|BSD-\d-Clause|Apache-2\.0)\)|MPL-2\.0\), source: https:)/,
    )
  for (const name of ['fastify', '@modelcontextprotocol/sdk', 'kysely']) {
    t.match(licenses, `\n${name} `)
    t.ok(name in JSON.parse(whole).dependencies, `${name} stands where readers expect it`)
    t.notOk(name in dependencies, name)
  }
})

t.test('an install brings at most 60 packages, by the lock file', async t => {
  const { stdout } = await run('tar', ['-xzOf', join(folder, filename), 'package/package.json'])
  const { dependencies, optionalDependencies } = JSON.parse(stdout)
  const { packages } = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8'))
  const brought = new Set<string>()
  /** `from`: the folder where Node looks first, before the folders around it. */
  const bring = (name: string, from: string): void => {
    const path = `${from}node_modules/${name}`
    if (brought.has(path)) return
    if (path in packages) brought.add(path)
    else if (from) bring(name, from.slice(0, from.lastIndexOf('node_modules/')))
    const { dependencies, optionalDependencies } = packages[path] ?? {}
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) bring(needed, `${path}/`)
  }
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) bring(name, '')
  t.ok(brought.size <= 60, `${brought.size} packages`)
  t.ok(brought.has('node_modules/tdigest'), 'which prom-client brings')
})

t.test('the package lists what runs, bundled or installed with it, and no tools (CycloneDX)', async t => {
  const { stdout } = await run('tar', ['-xzOf', join(folder, filename), 'package/dist/sbom.json'])
  const { bomFormat, components, metadata } = JSON.parse(stdout)
  t.equal(bomFormat, 'CycloneDX')
  t.match(metadata.component, { name: 'svc', type: 'application' })
  const names = new Set(components.map(({ name }: { name: string }) => name))
  const { dependencies: all, optionalDependencies } = JSON.parse(whole)
  for (const name of Object.keys({ ...all, ...optionalDependencies })) t.ok(names.has(name), name)
  const licenses = readFileSync(join(source, 'dist', 'licenses.txt'), 'utf8')
  for (const [, name = ''] of licenses.matchAll(/^(\S+) [\d.]+ \(.+\)(?:, source: .+)?$/gm))
    t.ok(names.has(name), name)
  for (const name of ['typescript', 'esbuild', 'tap', 'playwright-core']) t.notOk(names.has(name), name)
  const unlicensed = components.filter(({ licenses }: { licenses?: [] }) => !licenses)
  t.strictSame(unlicensed, [])
})

t.test(
  'packing leaves package.json as it was, and a command puts it back when that was interrupted',
  async t => {
    const file = join(source, 'package.json')
    t.equal(readFileSync(file, 'utf8'), whole)
    const script = (...args: string[]) =>
      run('node', args, { cwd: source, env: { ...process.env, npm_command: 'pack' } })
    await script('scripts/prepare.mjs')
    t.not(readFileSync(file, 'utf8'), whole, 'npm pack is interrupted here')
    await script('scripts/packed-package.mjs', '--restore')
    t.equal(readFileSync(file, 'utf8'), whole)
  },
)
