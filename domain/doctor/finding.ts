import type { doctorTexts } from './texts.js'

/** How bad it is. Only a problem makes `svc doctor` fail. */
export type Level = 'ok' | 'note' | 'warning' | 'problem'

/** What is wrong, why it matters, and the command or setting that mends it. */
export interface Advice {
  what: string
  why: string
  fix: string
}

export interface Finding extends Advice {
  level: Exclude<Level, 'ok'>
}

export type CheckName = keyof typeof doctorTexts.checks

/** What a check found. Its level is that of its worst finding. */
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

/** What somebody should know. */
export const note = (advice: Advice): Finding => ({ level: 'note', ...advice })
/** What may fail one day. */
export const warning = (advice: Advice): Finding => ({ level: 'warning', ...advice })
/** What keeps something from working. */
export const problem = (advice: Advice): Finding => ({ level: 'problem', ...advice })

const ORDER: readonly Level[] = ['ok', 'note', 'warning', 'problem']

/** The worst of some levels; `ok` if there are none. */
export const worst = (levels: readonly Level[]): Level =>
  ORDER[Math.max(0, ...levels.map(level => ORDER.indexOf(level)))] ?? 'ok'

/** Why something failed, in the words of whoever failed first. */
export function reasonOf(error: unknown): string {
  const { cause } = error as Error
  const first = error instanceof AggregateError ? error.errors[0] : cause
  if (first instanceof Error) return reasonOf(first)
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}
