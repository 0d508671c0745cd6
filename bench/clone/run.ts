// From nothing to the first page, as the README says it: `git clone`, `npm ci`, `npm start`, and beside it
// `npm install -g` of the file that `npm pack` makes in that clone, then `svc start`.
//   npm run bench -- clone
// What is cloned is the last commit. Packages come from npm's cache where it has them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootDir } from '../../common/package.js'
import { freePort } from '../../test/free-port.js'
import { BUDGET, beside } from '../start/budget.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-clone-'))
const clone = join(folder, 'clone')
let total = 0

const load = () => (loadavg()[0] ?? 0).toFixed(1)
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average ${load()}\n`)
try {
  console.log('| Fresh clone | s |\n|---|---:|')
  await row('git clone', () => run(folder, 'git', 'clone', '--quiet', '--no-hardlinks', rootDir, clone))
  await row('npm ci, which builds', () => run(clone, 'npm', 'ci', '--no-audit', '--no-fund'))
  await row('npm start, to the first page', () => firstPage(clone, 'npm', 'start'))
  console.log(`| **together** | ${beside(seconds(total), BUDGET.firstPageS)} |`)
  console.log(`\n${sizeOf(clone)}\n`)

  const installed = join(folder, 'installed')
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  await run(clone, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder)
  const file = join(folder, readdirSync(folder).find(name => name.endsWith('.tgz')) ?? '')
  total = 0
  console.log(`| The packed file, ${megabytes(statSync(file).size)} MB | s |\n|---|---:|`)
  const options = ['--prefix', installed, '--no-audit', '--no-fund']
  await row('npm install -g', () => run(empty, 'npm', 'install', '-g', ...options, file))
  await row('svc start, to the first page', () => firstPage(empty, join(installed, 'bin', 'svc'), 'start'))
  console.log(`| **together** | ${beside(seconds(total), BUDGET.firstPageS)} |`)
  console.log(`\n${sizeOf(join(installed, 'lib', 'node_modules', 'svc'))}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\nLoad average at the end ${load()}.`)

async function row(name: string, step: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await step()
  const ms = performance.now() - began
  total += ms
  console.log(`| ${name} | ${seconds(ms)} |`)
}

function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(1))
}

async function run(cwd: string, command: string, ...args: string[]): Promise<void> {
  const [code] = await once(spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** The page behind the link that the service prints. */
async function firstPage(cwd: string, command: string, ...args: string[]): Promise<void> {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), DATA_DIR: 'data', LOG_LEVEL: 'warn' }
  // A process group of its own: npm does not hand every signal on.
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  try {
    const link = await setupLink(child)
    const { ok, status } = await fetch(link)
    if (!ok) throw new Error(`the first page is answered ${status}`)
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await Promise.race([ended, sleep(5000)])
  }
}

/** Number of packages, and space on disk. */
function sizeOf(installed: string): string {
  const found = readdirSync(join(installed, 'node_modules'), { recursive: true, encoding: 'utf8' })
  const packages = found.filter(file =>
    /(^|\/node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(file),
  )
  const bytes = found.reduce((sum, file) => sum + lstatSync(join(installed, 'node_modules', file)).size, 0)
  return `${packages.length + 1} packages with svc itself, ${megabytes(bytes)} MB in node_modules`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

async function setupLink({ stderr }: ChildProcess): Promise<string> {
  let printed = ''
  for await (const chunk of stderr ?? []) {
    printed += chunk
    const link = /http:\S+\/setup\?token=\S+/.exec(printed)
    if (link) return link[0]
  }
  throw new Error(`the service did not start: ${printed}`)
}
