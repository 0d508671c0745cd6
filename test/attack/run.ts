// Attacks the built service, each time a new one, while an honest user works beside it, and prints what both got.
//   npm run attack -- [part of an attack's name …]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Attack } from './attack.js'
import type { Honest, Report } from './honest-user.js'
import { type AttackedService, startService } from './service.js'

const folder = new URL('attacks/', import.meta.url)
const wanted = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)

print('| attack | seconds | longest gap of the event loop | honest calls answered | p50 / p99 | result |')
print('|---|---:|---:|---:|---:|---|')
let failed = 0
let passed = 0
for (const attack of await findAttacks()) {
  const problems = await measure(attack)
  if (problems.length > 0) failed++
  else passed++
  for (const problem of problems) process.stderr.write(`${attack.name}: ${problem}\n`)
}
// The form in which tap closes, for whoever counts.
print(
  `\n# { total: ${passed + failed}${passed ? `, pass: ${passed}` : ''}${failed ? `, fail: ${failed}` : ''} }`,
)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

async function findAttacks(): Promise<Attack[]> {
  const attacks: Attack[] = []
  for (const file of readdirSync(folder).sort()) {
    const { attack } = (await import(new URL(file, folder).href)) as { attack: Attack }
    if (wanted.length === 0 || wanted.some(part => attack.name.includes(part))) attacks.push(attack)
  }
  return attacks
}

/** Runs an attack and prints its row. @returns what is wrong */
async function measure(attack: Attack): Promise<string[]> {
  const service = await startService(attack)
  const problems: string[] = []
  try {
    const honest = await startHonestUser(service, attack)
    await service.longestGap()
    honest.send('start')
    const startedAt = performance.now()
    await attack.run(service).catch((error: Error) => problems.push(error.message))
    const seconds = (performance.now() - startedAt) / 1000
    honest.send('stop')
    const [report] = (await once(honest, 'message')) as [Report]
    const gap = await service.longestGap()
    const share = report.calls === 0 ? 0 : report.good / report.calls
    const { limits } = attack
    if (gap > limits.loopGapMs) problems.push(`a gap of ${gap.toFixed()} ms, limit ${limits.loopGapMs}`)
    if (share < limits.honestShare) {
      problems.push(
        `${report.good} of ${report.calls} honest calls, limit ${limits.honestShare}: ${JSON.stringify(report.statuses)}`,
      )
    }
    const cells = [
      attack.name,
      seconds.toFixed(1),
      `${gap.toFixed(1)} ms`,
      `${report.good} of ${report.calls}`,
      `${percentile(report.times, 0.5)} / ${percentile(report.times, 0.99)} ms`,
      problems.length === 0 ? 'held' : '**failed**',
    ]
    print(`| ${cells.join(' | ')} |`)
  } catch (error) {
    problems.push((error as Error).message)
    print(`| ${attack.name} | | | | | **failed** |`)
  } finally {
    await service.stop()
  }
  return problems
}

async function startHonestUser({ url, honest }: AttackedService, attack: Attack) {
  const { email, password, token } = honest
  const told: Honest = { url, kind: attack.honest ?? 'question', email, password, token }
  const file = fileURLToPath(new URL('honest-user.ts', import.meta.url))
  const child = fork(file, [JSON.stringify(told)], { execArgv: ['--import', 'tsx'] })
  const [first] = await once(child, 'message')
  if (first !== 200) throw new Error(`the honest user got ${first} before the attack`)
  return child
}

function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? 0
}
