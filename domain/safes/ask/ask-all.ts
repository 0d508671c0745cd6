import { setImmediate as otherRequests, setTimeout as sleep } from 'node:timers/promises'
import type { Indexes } from '../index/indexes.js'
import type { ReadableSafe } from '../safe.js'
import type { SafeStore } from '../stores/safe.sql.js'
import type { MeasuredAnswer } from './answer.js'
import { answersQuestion } from './answers-question.js'

/** What the Safes of an account answer. */
export interface AllAnswers {
  /** Safes that answer: those whose best passage says most of the question first. */
  answers: (MeasuredAnswer & { safe: ReadableSafe })[]
  /** The best of those that found something that hardly answers. */
  weak: (MeasuredAnswer & { safe: ReadableSafe })[]
  /** Safes that were not asked, because that would have taken too long. */
  unasked: ReadableSafe[]
}

interface Dependencies {
  safes: SafeStore
  indexes: Pick<Indexes, 'inMemory'>
  ask(safeId: string, signal: AbortSignal): Promise<MeasuredAnswer>
  /** Resolves when there is no more time. Default: after 1.5 seconds. */
  late?: Promise<unknown>
}

/** Safes of an account that are asked. */
const MOST_SAFES = 200
/** How long a question to all Safes takes at most; an index that is opened in the meantime serves the next one. */
const DEADLINE_MS = 1_500
/** What says much less of the question than the best Safe is no answer beside it. */
const LEAST_OF_BEST = 0.6

/**
 * Asks all Safes that the account may read, one after the other and in bounded time: those in memory first, then the small
 * ones (ADR 49).
 */
export async function askAll(
  { safes, indexes, ask, late: noMoreTime = sleep(DEADLINE_MS, null, { ref: false }) }: Dependencies,
  accountId: string,
): Promise<AllAnswers> {
  const all = await safes.readableBy(accountId, { limit: MOST_SAFES })
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
    else found.push({ ...asked, safe })
    await otherRequests()
  }
  found.sort((a, b) => strength(b) - strength(a))
  const answering = found.filter(answersQuestion)
  const least = Math.max(0, ...answering.map(strength)) * LEAST_OF_BEST
  const answers = answering.filter(each => strength(each) >= least)
  const weak = found.filter(each => !answers.includes(each) && each.answer.total > 0)
  return { answers, weak, unasked }

  /** Null if it cannot be asked now, or no longer. */
  async function askOne(safe: ReadableSafe): Promise<MeasuredAnswer | null> {
    return ask(safe.id, stop.signal).catch(() => null)
  }
}

/** Scores of two Safes cannot be compared; what a passage says of the question can. */
const strength = ({ answer, coverage }: MeasuredAnswer): number => (answer.total === 0 ? -1 : (coverage ?? 1))
