import { type Static, Type } from '@sinclair/typebox'
import type { LeftOut, SyncReport } from '../../domain/safes/safe.js'
import type { SentRun } from '../../domain/safes/uploads/sync-runs.js'
import { stringEnum } from '../../mcp/string-enum.js'
import { BadLines, Nullable, Time } from './schemas.js'

/** Finished uploads that are contents of files. */
export const Contents = Type.Object(
  { uploads: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 1_000 }) },
  { additionalProperties: false },
)

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const LeftOutCounts = Type.Object({
  hidden: Count,
  ignored: Count,
  too_large: Count,
  links: Count,
  others: Count,
})

/** The body that ends a run. */
export const Finish = Type.Object(
  { left_out: Type.Optional(LeftOutCounts), confirmed: Type.Optional(Type.Boolean({ default: false })) },
  { additionalProperties: false },
)

export type Finish = Static<typeof Finish>

/** The changes of a run. */
export const Report = Type.Object({
  run: Nullable(Type.Integer({ description: 'The import that the run made.' })),
  added: Type.Integer(),
  changed: Type.Integer(),
  renamed: Type.Integer(),
  removed: Type.Integer(),
  relinked: Type.Integer(),
  failed_count: Type.Integer(),
  failed: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), bad_lines: BadLines })),
  remarks: Type.Optional(BadLines),
  left_out: LeftOutCounts,
})

export type Report = Static<typeof Report>

/** A run as the API shows it. */
export const Run = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: stringEnum(['open', 'running', 'done', 'failed']),
  files: Type.Integer(),
  wanted: Type.Array(Type.String(), { description: 'SHA-256, in hex, of the contents that are needed.' }),
  read: Type.Integer(),
  to_read: Type.Integer(),
  report: Nullable(Report),
  problem: Nullable(Type.String({ description: 'Why it failed, as a sentence.' })),
  code: Nullable(Type.String({ description: 'Why it failed, for programs.' })),
  expires_at: Time,
})

export type Run = Static<typeof Run>

/** How many contents are still needed. */
export const Received = Type.Object({ wanted_count: Type.Integer() })

/** The counts of `left_out` in the form of the domain; absent ones are 0. */
export function leftOutOf(counts: Static<typeof LeftOutCounts> | undefined): LeftOut {
  const { hidden = 0, ignored = 0, too_large = 0, links = 0, others = 0 } = counts ?? {}
  return { hidden, ignored, tooLarge: too_large, links, others }
}

/** A run of the domain as the API shows it. */
export function runAnswer({ toRead, report, problem, expiresAt, ...run }: SentRun): Run {
  return {
    ...run,
    to_read: toRead,
    report: report && reportOf(report),
    problem: problem?.message ?? null,
    code: problem?.code ?? null,
    expires_at: new Date(expiresAt).toISOString(),
  }
}

function reportOf({ failedCount, failed, leftOut, ...report }: SyncReport): Report {
  const { tooLarge, ...others } = leftOut
  return {
    ...report,
    failed_count: failedCount,
    failed: failed.map(({ path, size, badLines }) => ({ path, size, bad_lines: badLines })),
    left_out: { ...others, too_large: tooLarge },
  }
}
