// Attacks the built service, each time a new one, while an honest user asks a question every 50 ms, and prints what both got.
//   npm run bench -- attack [part of an attack's name …]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { freePort } from '../../test/free-port.js'
import { percentile } from '../figures.js'
import { startWatched } from '../watched-server.js'
import { attacks, type Target } from './attacks.js'
import { HonestUser } from './honest-user.js'

const wanted = process.argv.slice(2)
const names = Object.keys(attacks).filter(name => wanted.every(part => name.includes(part)))
console.log(
  '| attack | longest piece of work on the main thread | honest calls answered | p50 / p99 | the attacker got | |',
)
console.log('|---|---:|---:|---:|---|---|')
for (const name of names) if (!(await holds(name))) process.exitCode = 1
if (names.length === 0) process.exitCode = 1

async function holds(name: string): Promise<boolean> {
  const { holdMs = 0, honestShare = 1 } = attacks[name] ?? {}
  const folder = mkdtempSync(join(tmpdir(), 'svc-attack-'))
  const env = { DATA_DIR: folder, PORT: String(await freePort()), TRUST_PROXY: '127.0.0.1' }
  const [attacker = '', honest = ''] = await createTokens(env)
  const server = await startWatched({ ...env, LOG_LEVEL: 'silent' })
  try {
    const { port } = server
    const user = new HonestUser({ url: `http://localhost:${port}`, port, token: honest })
    await user.ask()
    user.take()
    await server.holds()
    const asking = user.work()
    const note = await attacked(name, { url: `http://localhost:${port}`, port, token: attacker })
    user.stop()
    await asking
    const longest = Math.max(0, ...(await server.holds()).map(({ longestPiece }) => longestPiece))
    const { calls, times } = user.take()
    const isHeld = typeof note === 'string' && longest <= holdMs && times.length >= honestShare * calls
    const cells = [
      name,
      `${longest.toFixed(0)} ms (${holdMs})`,
      `${times.length} of ${calls} (${honestShare * 100} %)`,
      `${percentile(times, 0.5)} / ${percentile(times, 0.99)} ms`,
      typeof note === 'string' ? note : note.problem,
      isHeld ? 'held' : '**failed**',
    ]
    console.log(`| ${cells.join(' | ')} |`)
    return isHeld
  } finally {
    await server.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function attacked(name: string, target: Target): Promise<string | { problem: string }> {
  const file = fileURLToPath(new URL('attacks.ts', import.meta.url))
  const child: ChildProcess = fork(file, [name, JSON.stringify(target)], { execArgv: ['--import', 'tsx'] })
  const ended = once(child, 'exit').then(([code]) => [{ problem: `the attack ended with ${code}` }])
  const [note] = await Promise.race([once(child, 'message'), ended])
  return note
}

/** Two accounts, each with the sample Safe and a connection to it. */
async function createTokens(env: Record<string, string>): Promise<string[]> {
  const app = await buildDomains({ config: loadConfig(env) }, 'cli')
  await app.ready()
  const tokens: string[] = []
  for (const email of ['mallory@a.example', 'ann@a.example']) {
    const { id } = await app.accounts.add(email, 'correct horse battery')
    const safe = await app.safes.createSample(id)
    const grant = { chosenSafeIds: [safe.id] }
    tokens.push((await app.oauth.issueTokens(id, { clientName: email, grant })).accessToken)
  }
  await app.close()
  return tokens
}
