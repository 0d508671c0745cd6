import type { CheckResult, Finding, Level } from '../../../domain/doctor/finding.js'
import { doctorTexts } from '../../../domain/doctor/texts.js'

/** A finding of a check. */
interface FindingRow extends Finding {
  check: string
  tag: string
  tagKind: string
}

const TAGS: Record<Level, string> = { ok: 'good', note: '', warning: 'warn', problem: 'bad' }
const ORDER: Level[] = ['problem', 'warning', 'note']

/** The findings of the checks, the worst first. */
export function findingRows(results: readonly CheckResult[]): FindingRow[] {
  const { checks, levels } = doctorTexts
  const rows = results.flatMap(({ check, findings }) =>
    findings.map(finding => ({
      ...finding,
      check: checks[check],
      tag: levels[finding.level],
      tagKind: TAGS[finding.level],
    })),
  )
  return rows.sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
}

/** The names of the checks without findings. */
export const fineChecks = (results: readonly CheckResult[]) =>
  results
    .filter(({ level }) => level === 'ok')
    .map(({ check }) => doctorTexts.checks[check])
    .join(', ')
