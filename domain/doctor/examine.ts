import { setTimeout as sleep } from 'node:timers/promises'
import { addressChecks } from './checks/address.js'
import { machineChecks } from './checks/machine.js'
import { serviceChecks } from './checks/services.js'
import {
  type CheckName,
  type CheckResult,
  type Finding,
  problem,
  type Report,
  reasonOf,
  worst,
} from './finding.js'
import type { Installation } from './installation.js'
import { doctorTexts } from './texts.js'

const CHECKS: Record<CheckName, (installation: Installation) => Promise<Finding[]>> = {
  ...addressChecks,
  ...serviceChecks,
  ...machineChecks,
}

/** Checks that would all report the same missing answer at the address. */
const AT_THE_ADDRESS: readonly CheckName[] = [
  'discovery',
  'notFound',
  'tokens',
  'callback',
  'proxy',
  'uploads',
]

/** Each request of a check has a shorter deadline. */
const DEADLINE_MS = 10_000

/** Runs all checks. Changes nothing, sends at most the one requested message, and takes at most 20 seconds. */
export async function examine(installation: Installation): Promise<Report> {
  const address = runCheck('address', installation)
  const run = async (name: CheckName): Promise<CheckResult[]> => {
    if (name === 'address') return [await address]
    const isRun = !AT_THE_ADDRESS.includes(name) || (await address).level === 'ok'
    return isRun ? [await runCheck(name, installation)] : []
  }
  const results = await Promise.all((Object.keys(doctorTexts.checks) as CheckName[]).map(run))
  return { at: installation.clock(), results: results.flat() }
}

async function runCheck(name: CheckName, installation: Installation): Promise<CheckResult> {
  const findings = await within(DEADLINE_MS, CHECKS[name](installation)).catch(error => [
    problem(doctorTexts.failed(reasonOf(error))),
  ])
  return { check: name, level: worst(findings.map(({ level }) => level)), findings }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = sleep(ms, null, { signal: timer.signal }).then(() => {
    throw new Error(`no result after ${ms / 1000} s`)
  })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => timer.abort())
}
