// Attacks the built service, a new one each time, while an honest user asks a question every 50 ms, and prints the results of both.
//   npm run bench -- attack [part of an attack's name …]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { freePort } from '../../test/free-port.js'
import { percentile } from '../figures.js'
import { startWatched } from '../watched-server.js'
import { attacks, cookiesOf, signInForm, type Target } from './attacks.js'
import { HonestUser } from './honest-user.js'

const PASSWORD = 'correct horse battery'
/** How long the honest user is alone at first. */
const ALONE_MS = 2000

const wanted = process.argv.slice(2)
const names = Object.keys(attacks).filter(name => wanted.every(part => name.includes(part)))
console.log(
  '| attack | longest piece of work on the main thread | honest calls answered | p50 / p99 | p50 alone | the attacker got | |',
)
console.log('|---|---:|---:|---:|---:|---|---|')
for (const name of names) if (!(await holds(name))) process.exitCode = 1
if (names.length === 0) process.exitCode = 1

async function holds(name: string): Promise<boolean> {
  const attack = attacks[name]
  if (!attack) return false
  const {
    holdMs,
    honestShare,
    moreMs = Number.POSITIVE_INFINITY,
    opensDocument = false,
    hasFullDisk,
  } = attack
  const folder = mkdtempSync(join(tmpdir(), 'svc-attack-'))
  const env = { DATA_DIR: folder, PORT: String(await freePort()), TRUST_PROXY: '127.0.0.1' }
  const people = await createPeople(env)
  const log = hasFullDisk ? { LOG_LEVEL: 'info' } : { LOG_LEVEL: 'silent' }
  const server = await startWatched({ ...env, ...log }, hasFullDisk ? openSync('/dev/full', 'w') : undefined)
  try {
    const { port } = server
    const url = `http://localhost:${port}`
    const [attacker, honest] = await Promise.all(people.map(person => signedIn({ ...person, url, port })))
    if (!attacker || !honest) throw new Error('nobody is there')
    const user = new HonestUser(honest, opensDocument)
    const during = async <T>(work: () => Promise<T>) => {
      const asking = user.work()
      const done = await work()
      user.stop()
      await asking
      return { done, ...user.take() }
    }
    const alone = percentile((await during(() => pause(ALONE_MS))).times, 0.5)
    await server.holds()
    const { done: note, calls, times } = await during(() => attacked(name, attacker))
    const longest = Math.max(0, ...(await server.holds()).map(({ longestPiece }) => longestPiece))
    const p50 = percentile(times, 0.5)
    await server.stop('SIGTERM')
    const isHeld =
      typeof note === 'string' &&
      longest <= holdMs &&
      times.length >= honestShare * calls &&
      p50 <= alone + moreMs &&
      (await server.ended) === 0
    const cells = [
      name,
      `${longest.toFixed(0)} ms (${holdMs})`,
      `${times.length} of ${calls} (${honestShare * 100} %)`,
      `${p50} / ${percentile(times, 0.99)} ms`,
      `${alone} ms`,
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

interface Person extends Pick<Target, 'tokens' | 'documents'> {
  email: string
}

/** The attacker with 20 connections and 15 long documents, and the honest user with one of each, shorter. */
async function createPeople(env: Record<string, string>): Promise<Person[]> {
  const app = await buildDomains({ config: loadConfig(env) }, 'cli')
  await app.ready()
  const people: Person[] = []
  for (const [email, count, kilobytes] of [
    ['mallory@a.example', 15, 300],
    ['ann@a.example', 1, 30],
  ] as const) {
    const { id } = await app.accounts.add(email, PASSWORD)
    const safe = await app.safes.createSample(id)
    const grant = { chosenSafeIds: [safe.id] }
    const tokens: string[] = []
    for (let i = 0; i < 20; i++)
      tokens.push((await app.oauth.issueTokens(id, { clientName: email, grant })).accessToken)
    const documents: string[] = []
    for (let i = 0; i < count; i++) {
      const bytes = Readable.from([longNote(i, kilobytes)])
      await app.safes.imports.add(id, safe.id, { source: `Long ${i}.md`, bytes, commit: true })
      documents.push(`/safes/${safe.id}/documents/Long%20${i}.md`)
    }
    people.push({ email, tokens, documents })
  }
  await app.close()
  return people
}

function longNote(n: number, kilobytes: number): string {
  const paragraph = (i: number) => `${n}. Paragraph ${i}. It has *words*, and `.padEnd(97, 'a ')
  return Array.from({ length: kilobytes * 10 }, (_, i) => paragraph(i)).join('.\n\n')
}

async function signedIn({ email, ...target }: Person & Pick<Target, 'url' | 'port'>): Promise<Target> {
  const form = await signInForm(target.url, email, PASSWORD)
  const answer = await fetch(`${target.url}/login`, { method: 'POST', redirect: 'manual', ...form })
  return { ...target, cookie: cookiesOf(answer) }
}
