// From nothing to the first page, as the README says it: `git clone`, `npm ci`, `npm start`.
//   npm run bench:clone
// What is cloned is the last commit. Packages come from npm's cache where it has them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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
console.log('| Fresh clone | s |\n|---|---:|')
try {
  await row('git clone', () => run(folder, 'git', 'clone', '--quiet', '--no-hardlinks', rootDir, clone))
  await row('npm ci, which builds', () => run(clone, 'npm', 'ci', '--no-audit', '--no-fund'))
  await row('npm start, to the first page', firstPage)
  console.log(`| **together** | ${beside(seconds(total), BUDGET.firstPageS)} |`)
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
async function firstPage(): Promise<void> {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
  // A process group of its own: npm does not hand every signal on.
  const child = spawn('npm', ['start'], {
    cwd: clone,
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

async function setupLink({ stderr }: ChildProcess): Promise<string> {
  let printed = ''
  for await (const chunk of stderr ?? []) {
    printed += chunk
    const link = /http:\S+\/setup\?token=\S+/.exec(printed)
    if (link) return link[0]
  }
  throw new Error(`the service did not start: ${printed}`)
}
