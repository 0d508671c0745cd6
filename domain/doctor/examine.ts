import { setTimeout as sleep } from 'node:timers/promises'
import { checkAddress } from './checks/address.js'
import { checkBackups } from './checks/backups.js'
import { checkCallback } from './checks/callback.js'
import { checkClients } from './checks/clients.js'
import { checkClock } from './checks/clock.js'
import { checkDatabase } from './checks/database.js'
import { checkDiscovery } from './checks/discovery.js'
import { checkDisk } from './checks/disk.js'
import { checkHttps } from './checks/https.js'
import { checkMail } from './checks/mail.js'
import { checkNotFound } from './checks/not-found.js'
import { checkOpenFiles } from './checks/open-files.js'
import { checkProvider } from './checks/provider.js'
import { checkProxy } from './checks/proxy.js'
import { checkRedis } from './checks/redis.js'
import { checkSettings } from './checks/settings.js'
import { checkTokens } from './checks/tokens.js'
import { checkUploads } from './checks/uploads.js'
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

type Check = [name: CheckName, check: (installation: Installation) => Promise<Finding[]>]

const HERE: readonly Check[] = [
  ['https', checkHttps],
  ['settings', checkSettings],
  ['database', checkDatabase],
  ['redis', checkRedis],
  ['mail', checkMail],
  ['provider', checkProvider],
  ['openFiles', checkOpenFiles],
  ['disk', checkDisk],
  ['clock', checkClock],
  ['backups', checkBackups],
  ['clients', checkClients],
]

/** Checks that would all report the same missing answer at the address. */
const AT_THE_ADDRESS: readonly Check[] = [
  ['discovery', checkDiscovery],
  ['notFound', checkNotFound],
  ['tokens', checkTokens],
  ['callback', checkCallback],
  ['proxy', checkProxy],
  ['uploads', checkUploads],
]

/** Each request of a check has a shorter deadline. */
const DEADLINE_MS = 10_000

/** Runs all checks. Changes nothing, sends at most the one requested message, and takes at most 20 seconds. */
export async function examine(installation: Installation): Promise<Report> {
  const run = (checks: readonly Check[]) => Promise.all(checks.map(check => runCheck(check, installation)))
  const [address, here] = await Promise.all([runCheck(['address', checkAddress], installation), run(HERE)])
  const there = address.level === 'ok' ? await run(AT_THE_ADDRESS) : []
  return { at: installation.clock(), results: [address, ...there, ...here] }
}

async function runCheck([name, check]: Check, installation: Installation): Promise<CheckResult> {
  const findings = await within(DEADLINE_MS, check(installation)).catch(error => [
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
