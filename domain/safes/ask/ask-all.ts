import { setImmediate as otherRequests, setTimeout as sleep } from 'node:timers/promises'
import type { Indexes } from '../index/indexes.js'
import type { ReadableSafe } from '../safe.js'
import type { SafeStore } from '../stores/safe.sql.js'
import type { Answer } from './answer.js'
import type { Verdict } from './verdict.js'

/** The answer of all Safes of an account. */
export interface AllAnswers {
  /** Safes that answer, the most certain first; if there are none, those that may answer. */
  answers: AnswerOf[]
  /** The best of the Safes whose results hardly answer. */
  weak: AnswerOf[]
  /** Safes that were not asked because it would have taken too long. */
  unasked: ReadableSafe[]
}

interface AnswerOf {
  safe: ReadableSafe
  answer: Answer
}

interface AskAllDependencies {
  safes: SafeStore
  indexes: Pick<Indexes, 'inMemory'>
  ask(safeId: string, signal: AbortSignal): Promise<Answer>
  /** Resolves when the time is up. Default: after 1.5 seconds. */
  late?: Promise<unknown>
}

/** Maximum Safes of an account that are asked. */
const MAX_SAFES = 200
/** Maximum time of a question to all Safes; an index opened in the meantime serves the next question. */
const DEADLINE_MS = 1_500

/**
 * Asks all Safes that the account may read, one after the other and in bounded time: those in memory first, then the small
 * ones (ADR 49).
 */
export async function askAll(
  { safes, indexes, ask, late: noMoreTime = sleep(DEADLINE_MS, null, { ref: false }) }: AskAllDependencies,
  accountId: string,
): Promise<AllAnswers> {
  const all = await safes.readableBy(accountId, { limit: MAX_SAFES })
  const filled = all.filter(({ counts }) => counts.entities > 0)
  const isCold = (safe: ReadableSafe) => Number(indexes.inMemory(safe.id, safe.version) === null)
  const order = filled.toSorted((a, b) => isCold(a) - isCold(b) || a.counts.passages - b.counts.passages)
  const found: AllAnswers['answers'] = []
  const unasked: ReadableSafe[] = []
  const stop = new AbortController()
  const late = noMoreTime.then(() => 'late' as const)
  for (const safe of order) {
    const asked = stop.signal.aborted ? 'late' : await Promise.race([askOne(safe), late])
    if (asked === 'late') stop.abort()
    if (asked === 'late' || asked === null) unasked.push(safe)
    else if (asked) found.push({ answer: asked, safe })
    await otherRequests()
  }
  // Scores of two Safes cannot be compared, but the certainty of their answers can.
  found.sort((a, b) => (b.answer.confidence ?? 0) - (a.answer.confidence ?? 0))
  const saying = (verdict: Verdict) => found.filter(({ answer }) => answer.verdict === verdict)
  const answered = saying('answered')
  const answers = answered.length > 0 ? answered : saying('possible')
  const weak = found.filter(each => !answers.includes(each) && each.answer.total > 0)
  return { answers, weak, unasked }

  /** Null if it cannot be asked now, or the account can no longer read it; undefined if it lacks the folder or tag. */
  async function askOne(safe: ReadableSafe): Promise<Answer | null | undefined> {
    return ask(safe.id, stop.signal).catch(error => (error?.status === 400 ? undefined : null))
  }
}
