// Attacks the built service, each time a new one, while an honest user works beside it, and prints what both got.
//   npm run bench -- attack [part of an attack's name …]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Attack } from './attack.js'
import type { Honest, Report } from './honest-user.js'
import { type AttackedService, startService } from './service.js'

/**
 * Then the machine was busy with other things, and an attack that failed is tried once more: a process that only sleeps woke
 * so late, or the service's main thread had a core for so small a part of the time in which it had work.
 */
const STARVED = { sleeperLate: 100, gotPart: 0.33 }

interface Outcome {
  seconds: number
  longestPiece: number
  report: Report
  note: string
  /** By how many milliseconds a process that only sleeps woke late at most. */
  sleeperLate: number
  /** Of the time in which the main thread could have worked, the part in which it had a core. */
  gotPart: number
  /** What is wrong; empty: the service held. */
  problems: string[]
}

const folder = new URL('attacks/', import.meta.url)
const wanted = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const sleeper = fork(file('sleeper.mjs'), { execArgv: [] })
print(
  '| attack | seconds | longest piece of work on the main thread | honest calls answered | p50 / p99 | besides | sleeper late, core got | result |',
)
print('|---|---:|---:|---:|---:|---|---:|---|')
let failed = 0
let passed = 0
for (const attack of await findAttacks()) {
  if (await holds(attack)) passed++
  else failed++
}
sleeper.disconnect()
// The form in which tap closes, for whoever counts.
print(
  `\n# { total: ${passed + failed}${passed ? `, pass: ${passed}` : ''}${failed ? `, fail: ${failed}` : ''} }`,
)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function findAttacks(): Promise<Attack[]> {
  const attacks: Attack[] = []
  for (const name of readdirSync(folder).sort()) {
    const { attack } = (await import(new URL(name, folder).href)) as { attack: Attack }
    if (wanted.length === 0 || wanted.some(part => attack.name.includes(part))) attacks.push(attack)
  }
  return attacks
}

/** Runs an attack, once more if that says nothing about the service, and prints its row. */
async function holds(attack: Attack): Promise<boolean> {
  let outcome = await tried(attack)
  const isStarved = outcome.sleeperLate > STARVED.sleeperLate || outcome.gotPart < STARVED.gotPart
  if (outcome.problems.length > 0 && isStarved) {
    printRow(attack, outcome, 'once more: the machine was starved')
    outcome = await tried(attack)
  }
  const isHeld = outcome.problems.length === 0
  printRow(attack, outcome, isHeld ? 'held' : '**failed**')
  return isHeld
}

function printRow({ name }: Attack, outcome: Outcome, result: string): void {
  const { seconds, longestPiece, report, note, sleeperLate, gotPart, problems } = outcome
  const cells = [
    name,
    seconds.toFixed(1),
    `${longestPiece.toFixed(1)} ms`,
    `${report.good} of ${report.calls}${others(report)}`,
    `${percentile(report.times, 0.5)} / ${percentile(report.times, 0.99)} ms`,
    note,
    `${sleeperLate.toFixed()} ms, ${(gotPart * 100).toFixed()} %`,
    result,
  ]
  print(`| ${cells.join(' | ')} |`)
  for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`)
}

async function tried(attack: Attack): Promise<Outcome> {
  const outcome: Outcome = {
    seconds: 0,
    longestPiece: 0,
    report: { calls: 0, good: 0, times: [], statuses: {} },
    note: '',
    sleeperLate: 0,
    gotPart: 1,
    problems: [],
  }
  const { problems } = outcome
  let service: AttackedService | undefined
  let honest: ChildProcess | undefined
  try {
    service = await startService(attack)
    honest = await startHonestUser(service, attack)
    await service.longestPiece()
    await ask(sleeper, 'late')
    honest.send('start')
    const [startedAt, before] = [performance.now(), service.mainThread()]
    const note = await attack.run(service).catch((error: Error) => void problems.push(error.message))
    outcome.seconds = (performance.now() - startedAt) / 1000
    outcome.report = (await ask(honest, 'stop')) as Report
    outcome.gotPart = gotPart(before, service.mainThread())
    outcome.longestPiece = await service.longestPiece()
    outcome.note = note ?? ''
    problems.push(...exceeded(attack, outcome))
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    outcome.sleeperLate = (await ask(sleeper, 'late')) as number
    honest?.kill()
    await service?.stop()
  }
  return outcome
}

type Times = ReturnType<AttackedService['mainThread']>

function gotPart(before: Times, after: Times): number {
  const [ran, waited] = [after.ran - before.ran, after.waited - before.waited]
  return ran / (ran + waited)
}

function exceeded({ limits }: Attack, { longestPiece, report }: Outcome): string[] {
  const problems: string[] = []
  if (longestPiece > limits.holdMs) {
    problems.push(`one piece of work took ${longestPiece.toFixed()} ms, limit ${limits.holdMs}`)
  }
  if (report.good < limits.honestShare * report.calls || report.calls === 0) {
    const answered = `${report.good} of ${report.calls} honest calls were answered${others(report)}`
    problems.push(`${answered}, limit ${limits.honestShare}`)
  }
  return problems
}

/** Sends a process of ours an order. @returns its answer @throws when it ends instead */
async function ask(child: ChildProcess, order: string): Promise<unknown> {
  const done = new AbortController()
  const answered = once(child, 'message', done)
  const ended = once(child, 'exit', done).then(([code]) => {
    throw new Error(`a process of the attack ended with ${code}`)
  })
  if (child.connected) child.send(order)
  try {
    const [answer] = await Promise.race([answered, ended])
    return answer
  } finally {
    done.abort()
  }
}

async function startHonestUser({ url, honest }: AttackedService, attack: Attack): Promise<ChildProcess> {
  const { email, password, token } = honest
  const told: Honest = { url, kind: attack.honest ?? 'question', email, password, token }
  const child = fork(file('honest-user.ts'), [JSON.stringify(told)], { execArgv: ['--import', 'tsx'] })
  const [first] = await once(child, 'message')
  if (first === 200) return child
  child.kill()
  throw new Error(`the honest user got ${first} before the attack`)
}

/** The statuses of calls that were not answered. */
function others({ statuses }: Report): string {
  const counts = Object.entries(statuses).filter(([status]) => status !== '200')
  return counts.length === 0 ? '' : ` (${counts.map(([status, count]) => `${status}: ${count}`).join(', ')})`
}

function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? 0
}
