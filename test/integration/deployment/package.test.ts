import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t from 'tap'
import { rootDir, version } from '../../../common/package.js'
import { freePort } from '../../free-port.js'
import { dataDir } from '../../helper.js'
import { builtFolder } from '../../servers.js'

const run = promisify(execFile)
const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd })

/** What the package holds, apart from `dist/part-….js`. */
const FOLDERS = ['deploy', 'dist', 'known-clients', 'public', 'sample', 'views']
const FILES = ['CHANGELOG.md', 'README.md', 'package.json']

const folder = dataDir(t)
const source = join(folder, 'source')
cpSync(await builtFolder(), source, {
  recursive: true,
  dereference: true,
  filter: file => !/node_modules/.test(file),
})
for (const file of ['deploy', 'scripts', 'README.md', 'CHANGELOG.md', 'package-lock.json'])
  cpSync(join(rootDir, file), join(source, file), { recursive: true })
// What an earlier build for benchmarks leaves behind, and other files that nobody needs.
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
    'dist/graph-app.html',
  ])
    t.ok(
      files.some(file => file.path === path),
      path,
    )
  t.ok(size < 2_000_000, `${size} bytes`)
})

t.test('bundled packages come with their licenses, and are not installed again', async t => {
  const { stdout } = await run('tar', ['-xzOf', join(folder, filename), 'package/package.json'])
  const { dependencies, ...rest } = JSON.parse(stdout)
  t.notMatch(rest, { scripts: {} }, 'npm warns of a script `prepare`')
  t.notMatch(rest, { devDependencies: {} })
  const licenses = readFileSync(join(source, 'dist', 'licenses.txt'), 'utf8')
  for (const text of licenses.split(`${'-'.repeat(80)}\n`))
    t.match(text, /^\s*\S+ [\d.]+ \((MIT|ISC|0BSD|BSD-\d-Clause|Apache-2\.0)\)\n/)
  for (const name of ['fastify', '@modelcontextprotocol/sdk', 'kysely']) {
    t.match(licenses, `\n${name} `)
    t.ok(name in JSON.parse(whole).dependencies, `${name} stands where readers expect it`)
    t.notOk(name in dependencies, name)
  }
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

t.test('npm install -g, then svc start in an empty folder', async t => {
  const prefix = join(folder, 'prefix')
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const options = ['--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund']
  const { stderr } = await npm(empty, 'install', '-g', ...options, join(folder, filename))
  t.notMatch(stderr, /EBADENGINE|deprecated|prepare/)

  const installed = join(prefix, 'lib', 'node_modules', 'svc')
  const packages = packagesIn(installed)
  t.comment(`${packages.length + 1} packages with svc itself, ${(size / 1e6).toFixed(1)} MB packed`)
  t.ok(packages.length + 1 < 120, `${packages.length + 1} packages`)
  for (const name of ['typescript', 'esbuild', 'tap', 'tsx']) t.notOk(packages.includes(name), name)

  const env = { PATH: `${join(prefix, 'bin')}:${process.env.PATH}`, PORT: String(await freePort()) }
  t.equal((await run('svc', ['--version'], { cwd: empty, env })).stdout, `${version}\n`)
  const child = spawn('svc', ['start'], { cwd: empty, env, stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (line.includes('/setup?token=')) break
  }
  t.match(lines, [/^$/, /Listening on/, `  Data folder: ${join(empty, 'data')}`])
  t.match(await (await fetch(`http://localhost:${env.PORT}/healthz`)).json(), { status: 'ok' })
  const [, link = ''] = /(http:\S+)/.exec(lines.at(-1) ?? '') ?? []
  t.match((await fetch(link)).headers.getSetCookie(), [/^svc_browser/], 'the bundled cookie package works')
  t.ok(existsSync(join(empty, 'data', 'svc.db')))
  child.kill('SIGTERM')
  t.strictSame(await ended, [0, null], 'it stops as dist/server.js does')
})

/** Names of all packages under a folder, also nested ones. */
function packagesIn(folder: string): string[] {
  const found = readdirSync(join(folder, 'node_modules'), { recursive: true }) as string[]
  const names = found.map(
    file => /(?:^|.*\/node_modules\/)((?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/.exec(file)?.[1],
  )
  return names.filter(name => name !== undefined)
}
