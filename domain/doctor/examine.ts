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

/** Each request of a check has a shorter deadline. */
const DEADLINE_MS = 10_000

/** Runs all checks. Changes nothing, sends at most the one requested message, and takes at most 20 seconds. */
export async function examine(installation: Installation): Promise<Report> {
  const address = runCheck('address', installation)
  const run = async (name: CheckName): Promise<CheckResult[]> => {
    if (name === 'address') return [await address]
    // The others would all report the same missing answer at the address.
    const isApart = !(name in addressChecks) || name === 'https'
    return isApart || (await address).level === 'ok' ? [await runCheck(name, installation)] : []
  }
  const results = await Promise.all((Object.keys(doctorTexts.checks) as CheckName[]).map(run))
  return { at: installation.clock(), results: results.flat() }
}

async function runCheck(name: CheckName, installation: Installation): Promise<CheckResult> {
  const findings = await within(DEADLINE_MS, CHECKS[name](installation)).catch(error =>
    problem(doctorTexts.failed(reasonOf(error))),
  )
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

/** Minimum time between checks. */
const FRESH_MS = 60_000

/** The doctor inside the server, for its page: runs the checks once at a time and caches the findings. */
export class Doctor {
  readonly #installation: Installation
  #running: Promise<Report> | null = null
  /** The latest findings of this process, or null. */
  latest: Report | null = null

  constructor(installation: Installation) {
    this.#installation = installation
  }

  /** The report if it is less than a minute old, or a new one. */
  async run(): Promise<Report> {
    if (this.latest && this.#installation.clock() - this.latest.at < FRESH_MS) return this.latest
    this.#running ??= examine(this.#installation).finally(() => {
      this.#running = null
    })
    this.latest = await this.#running
    return this.latest
  }
}
