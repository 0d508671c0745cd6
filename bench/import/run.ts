// npm run bench -- import [FACTS] — how long others wait while FACTS facts (1,000,000) go into a Safe: by the command line
// next to the server, out of it again, and by an upload. The built server, embedded; this process only asks and measures.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from '../../app.js'
import { openReader } from '../../platform/storage/open-database.js'
import { loadConfig } from '../../plugins/config.js'
import { runCli } from '../../test/built-cli.js'
import { freePort } from '../../test/free-port.js'
import { Assistant } from '../../test/integration/oauth/assistant.js'
import { load, machine, memoryMb, percentile, timed } from '../figures.js'
import { createSmallSafe } from '../small-safe.js'
import { type Hold, startWatched } from '../watched-server.js'
import { type Access, Client } from './client.js'
import { writeFacts } from './facts.js'
import { Probes } from './probes.js'

const facts = Number(process.argv[2] ?? 1_000_000)
/** The previous content of the receiving Safe: enough that a thread opens it. */
const FORMERLY = 20_000
const IDLE_MS = 10_000
/** Also watched after each piece of work, because the new index is read then. */
const AFTERWARDS_MS = 3_000

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-import-'))
try {
  await run()
} finally {
  rmSync(folder, { recursive: true })
}

async function run(): Promise<void> {
  const port = await freePort()
  const env = {
    ...{ DATA_DIR: join(folder, 'data'), BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port) },
    // Measures waiting, not refusals.
    CALLS_PER_SECOND: '0',
  }
  const file = join(folder, 'facts.jsonl')
  const former = join(folder, 'former.jsonl')
  const questions = await writeFacts(former, FORMERLY)
  await writeFacts(file, facts)
  console.log(
    `${machine()}; ${facts.toLocaleString('en')} facts, ${(statSync(file).size / 1e6).toFixed(0)} MB of JSONL\n`,
  )
  const { access, small, large } = await prepare(env)
  await runCli(['safe', 'import', large, former], env)

  const server = await startWatched(env)
  server.child.stderr?.pipe(process.stderr)
  const client = new Client(env.BASE_URL, access)
  let asked = 0
  const probes = new Probes({
    ping: () => client.ping(),
    'token rotation': () => client.rotate(),
    'question, small Safe': () => client.ask(small, 'Who does Person B1 know?'),
    'question, this Safe': () => client.ask(large, questions[asked++ % questions.length] ?? ''),
    page: () => client.page('/safes').then(() => {}),
  })
  const phase = async (name: string, work: () => Promise<string>) => {
    probes.take()
    await server.holds()
    const { result: note, clock } = await timed(work)
    await pause(AFTERWARDS_MS)
    tell(`${name}: ${(clock / 1000).toFixed(1)} s${note}`, probes.take(), await server.holds())
  }
  const rate = (began: number) =>
    `, ${Math.round((facts * 1000) / (performance.now() - began)).toLocaleString('en')} facts/s`
  try {
    // Twice: the first questions compile their code.
    probes.start()
    await pause(IDLE_MS / 2)
    await phase('idle', () => pause(IDLE_MS, ''))
    await phase('import by the command line', async () => {
      const began = performance.now()
      await runCli(['safe', 'import', large, file], env)
      return rate(began)
    })
    await phase('export by the page', async () => {
      const bytes = await client.download(`/safes/${large}/export?format=jsonl`)
      return `, ${(bytes / 1e6).toFixed(0)} MB`
    })
    await phase('undo by the page', async () => {
      await client.submit(`/safes/${large}/imports/2/undo`, `/safes/${large}/imports/2/undo`)
      await until(async () => (await importRow(env.DATA_DIR, large, 2)).status === 'undone')
      return ''
    })
    await phase('import by upload', async () => {
      const began = performance.now()
      const page = await client.upload(large, file)
      await until(async () => (await importRow(env.DATA_DIR, large, 3)).content_hash !== null)
      await client.submit(page, `${page}/commit`)
      await until(async () => (await importRow(env.DATA_DIR, large, 3)).status === 'committed')
      return rate(began)
    })
    await probes.stop()
    console.log(`The server's memory was ${memoryMb(server.child.pid, 'VmHWM').toFixed(0)} MB at most.`)
  } finally {
    await server.stop('SIGTERM')
  }
}

/** An account with two Safes, two connections and a signed-in browser. */
async function prepare(env: Record<string, string>) {
  const app = await buildApp({ config: loadConfig(env) })
  await app.ready()
  try {
    const assistant = await Assistant.registered(app)
    const small = await createSmallSafe(app)
    const large = await app.safes.create('ann', 'Large')
    assistant.browser.cookies.set('svc_session', await app.loginSessions.begin('ann'))
    const { accessToken } = await app.oauth.issueTokens('ann', { clientName: 'bench', days: 1 })
    const { refresh_token: refreshToken } = await assistant.connect()
    const cookie = [...assistant.browser.cookies].map(pair => pair.join('=')).join('; ')
    const access: Access = { clientId: assistant.clientId, accessToken, refreshToken, cookie }
    return { access, small: small.id, large: large.id }
  } finally {
    await app.close()
  }
}

async function importRow(dataDir: string, safeId: string, id: number) {
  const { read } = await openReader({ dataDir })
  try {
    return await read
      .selectFrom('imports')
      .where('safe_id', '=', safeId)
      .where('id', '=', id)
      .select(['status', 'content_hash'])
      .executeTakeFirstOrThrow()
  } finally {
    await read.destroy()
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(100)
}

function tell(title: string, times: Map<string, number[]>, holds: Hold[]): void {
  console.log(`${title} (load average ${load()})`)
  for (const [kind, all] of times) {
    const at = (share: number) => percentile(all, share).toFixed(1)
    console.log(
      `  ${kind.padEnd(21)} ${String(all.length).padStart(6)} answers: p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms`,
    )
  }
  const most = (of: (hold: Hold) => number) =>
    holds.reduce((most, hold) => Math.max(most, of(hold)), 0).toFixed(1)
  const over = holds.filter(({ late, waited }) => late - waited > 20).length
  console.log(
    `  the event loop was held up ${most(({ late }) => late)} ms at most: by its own work ${most(({ ran }) => ran)}, waiting for a core ${most(({ waited }) => waited)}, for the disk or other threads ${most(({ late, ran, waited }) => late - ran - waited)} at most; ${over} times more than 20 ms without waiting for a core\n`,
  )
}
