import type { doctorTexts } from './texts.js'

/** Severity. Only a problem makes `svc doctor` fail. */
export type Level = 'ok' | 'note' | 'warning' | 'problem'

/** The fault, why it matters, and the command or setting that fixes it. */
export interface Advice {
  what: string
  why: string
  fix: string
}

export interface Finding extends Advice {
  level: Exclude<Level, 'ok'>
}

export type CheckName = keyof typeof doctorTexts.checks

/** The findings of a check. Its level is that of its worst finding. */
export interface CheckResult {
  check: CheckName
  level: Level
  findings: Finding[]
}

export interface Report {
  /** Milliseconds since 1970. */
  at: number
  results: CheckResult[]
}

/** The only finding of a check: information. */
export const note = (advice: Advice): Finding[] => [{ level: 'note', ...advice }]
/** The only finding of a check: something that may fail one day. */
export const warning = (advice: Advice): Finding[] => [{ level: 'warning', ...advice }]
/** The only finding of a check: something that does not work. */
export const problem = (advice: Advice): Finding[] => [{ level: 'problem', ...advice }]

const ORDER: readonly Level[] = ['ok', 'note', 'warning', 'problem']

/** The worst of some levels; `ok` if there are none. */
export const worst = (levels: readonly Level[]): Level =>
  ORDER[Math.max(0, ...levels.map(level => ORDER.indexOf(level)))] ?? 'ok'

/** The reason of a failure: the message of its first cause. */
export function reasonOf(error: unknown): string {
  const { cause } = error as Error
  const first = error instanceof AggregateError ? error.errors[0] : cause
  if (first instanceof Error) return reasonOf(first)
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}
