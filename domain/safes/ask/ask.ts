import { type Ranking, terms } from '../../../engine/graph/index.js'
import { searches } from '../../../platform/common/events.js'
import type { SafesShared } from '../dependencies.js'
import type { Outline } from '../documents/outline.js'
import type { Limits, Parts, PassageFilter } from '../documents/parts.js'
import { requireReader } from '../membership.js'
import type { Question } from '../safe.js'
import type { Answer } from './answer.js'
import { type Rows, readRows } from './answer-rows.js'
import { answerSummary } from './answer-summary.js'
import { openCursor, sealCursor } from './cursor.js'
import { fitAnswer, withPassages } from './fit-answer.js'
import { hintsOf, NO_CHANGES, OF_ALL_TIMES, OTHER_WORDS_HINT, otherNamesHint } from './hints.js'
import { bestLead } from './lead/lead.js'
import { type CheckedQuestion, checkedQuestion } from './question.js'
import { type Recent, rankedChanges, withChanges } from './recent.js'
import { confidenceOf, verdictOf } from './verdict.js'

/** Characters of a passage in a brief answer, and of its neighbours in full and brief answers. */
const BRIEF = 240
const NEIGHBOUR = 240
const BRIEF_NEIGHBOUR = 80

/** Results below this share of the best score are not on the first page, except for the first few. */
const MIN_OF_BEST = 0.15
const ALWAYS_SHOWN = 5

type AskDependencies = Pick<SafesShared, 'safes' | 'indexes' | 'rows' | 'baseUrl'> & {
  parts: Pick<Parts, 'find' | 'outline'>
  recent: Pick<Recent, 'list'>
}

/** Runs a piece of work on this thread in the account's turn. */
export type RunInTurn = <T>(work: () => T) => Promise<Awaited<T>>

/**
 * Answers a question from one Safe (GRAPH §5).
 * @throws notFound for non-members, DomainError 400 for an invalid question or an expired cursor
 */
export async function ask(
  dependencies: AskDependencies,
  inTurn: RunInTurn,
  accountId: string,
  safeId: string,
  question: Question,
): Promise<Answer> {
  const checked = checkedQuestion(safeId, question)
  const { name, version } = await requireReader(dependencies.safes, accountId, safeId)
  const reader = { accountId, safe: { id: safeId, name } }
  const first = await answer(dependencies, inTurn, reader, version, checked)
  if (first.complete) return first.answer
  // An import was undone in the meantime and the index referred to rows that no longer exist. The Safe now has a
  // new version.
  const now = await requireReader(dependencies.safes, accountId, safeId)
  return (await answer(dependencies, inTurn, reader, now.version, checked)).answer
}

async function answer(
  { indexes, rows, parts, recent, baseUrl }: AskDependencies,
  inTurn: RunInTurn,
  { accountId, safe }: { accountId: string; safe: Answer['safe'] },
  version: number,
  checked: CheckedQuestion,
): Promise<{ answer: Answer; complete: boolean }> {
  const content = await indexes.get(safe.id, version, accountId)
  const indexed = content.committed.version
  const offset = checked.cursor === null ? 0 : openCursor(checked.cursor, indexed, checked.identity)
  const { limits, limit, question } = checked
  const isLimited = limits.in.length + limits.where.length > 0
  const part = isLimited && (await parts.find(accountId, { id: safe.id, version, content }, limits))
  const asked = part ? { ...question, within: part.within } : question
  const changes = checked.recent ? await recent.list(safe.id, version, asked) : null
  const page = changes?.slice(offset, offset + limit)
  let began = 0
  const ranked = await inTurn(() => {
    began = performance.now()
    if (page) return rankedChanges(page, { offset, total: changes?.length ?? 0 })
    return content.rank({ ...asked, limit, offset }, accountId)
  })
  searches.publish({ ms: performance.now() - began })
  const { ranking } = ranked
  // An older index may refer to imports that were undone since, so rows are read as of the newest known version.
  const read = await readRows(
    rows.of(safe.id, Math.max(version, indexed)),
    ranked,
    `${baseUrl}/safes/${safe.id}`,
  )
  if (page) read.passages = withChanges(read.passages, page)
  const shown = ranking.facts.length + ranking.passages.length
  const cursorAfter = (count: number) =>
    count > 0 && offset + count < ranking.total ? sealCursor(indexed, checked.identity, offset + count) : null
  const isOutlined = ranking.mode === 'overview' && offset === 0 && limits.where.length === 0
  const outline = isOutlined && (await parts.outline(safe.id, limits.in))
  const around = { part: part || null, outline: outline || null }
  const isFirst = offset === 0
  return inTurn(() => {
    const page = assemble(safe, ranking, read, cursorAfter(shown), checked, around)
    const complete = page.facts.length + page.passages.length === shown
    const { places, ...judged } = judge(page, ranking, checked.question, isFirst)
    const near = isFirst && ranking.evidence ? untilGap(judged, cursorAfter) : judged
    const whole = ranking.linked.filter(({ isPart }) => !isPart)
    const named = { ...near, linked: distinctLinks(whole, read.nameOf) }
    return { answer: inOrder(fitted(named, checked, read, cursorAfter, places)), complete }
  })
}

/** The answer with its verdict and, on the first page of a search, its lead. The passages are ranked by their sentences. */
function judge(
  page: Answer,
  { evidence, total }: Ranking,
  { query = '', otherWords }: CheckedQuestion['question'],
  isFirst: boolean,
): Answer & { places?: ReadonlyMap<string, number> } {
  if (page.summary || !evidence) return total > 0 || page.summary ? page : { ...page, ...NOTHING }
  if (total === 0) return { ...page, ...NOTHING }
  const { lead, passages, places, ...held } = bestLead(page, query, evidence)
  const confidence = confidenceOf(evidence, held)
  const verdict = verdictOf(confidence, evidence, held)
  if (!isFirst) return { ...page, verdict, confidence, places }
  const judged = { ...page, verdict, confidence, passages, places }
  if (verdict === 'answered') return { ...judged, ...(lead && { lead }) }
  const hints = otherWords ? page.hints : [...page.hints, OTHER_WORDS_HINT]
  return { ...judged, hints }
}

/** Leaves results that are far behind the best to the next page. */
function untilGap(page: Answer, cursorAfter: (count: number) => string | null): Answer {
  const scores = [...page.facts, ...page.passages].map(({ score }) => score).sort((a, b) => b - a)
  const least = Math.min((scores[0] ?? 0) * MIN_OF_BEST, scores[ALWAYS_SHOWN - 1] ?? 0)
  const isNear = ({ score }: { score: number }) => score >= least
  const near = { facts: page.facts.filter(isNear), passages: page.passages.filter(isNear) }
  const count = near.facts.length + near.passages.length
  if (count === scores.length) return page
  return { ...page, ...near, truncated: true, next_cursor: cursorAfter(count) }
}

const NOTHING = { verdict: 'none', confidence: 0 } as const

/** Sets the scores of passages, ordered by their sentences, to those of their ranks. Before, they were the engine's, which determine where a page ends. */
function inOrder(answer: Answer): Answer {
  const scores = answer.passages.map(({ score }) => score).sort((a, b) => b - a)
  const passages = answer.passages.map((passage, at) => ({ ...passage, score: scores[at] ?? 0 }))
  return { ...answer, passages }
}

/** Facts and passages that do not fit start the next page, so none are skipped. */
function fitted(
  page: Answer,
  { question, brief, form, maxTokens, characters }: CheckedQuestion,
  { bodyCost }: Rows,
  cursorAfter: (count: number) => string | null,
  places: ReadonlyMap<string, number> = new Map(),
): Answer {
  const limits = {
    maxTokens,
    characters,
    form,
    get stems() {
      return [...new Set(terms([question.query, question.otherWords].flat().join(' ')))]
    },
    // Other words may match different places than the question's own words.
    ...(!question.otherWords && { places }),
    neighbours: brief ? BRIEF_NEIGHBOUR : NEIGHBOUR,
    bodyCost,
    cursorAfter,
  }
  return fitAnswer(brief ? withPassages(page, BRIEF, limits) : page, limits)
}

function assemble(
  safe: Answer['safe'],
  ranking: Ranking,
  { facts, passages, nameOf, otherNames }: Rows,
  cursor: string | null,
  { notes, question, limits, recent }: CheckedQuestion,
  { part, outline }: { part: PassageFilter | null; outline: Outline | null },
): Answer {
  const linked = distinctLinks(ranking.linked, nameOf)
  const summary = ranking.summary ? answerSummary(ranking.summary, nameOf, outline) : undefined
  return {
    safe,
    mode: ranking.mode,
    linked,
    verdict: 'answered',
    confidence: 1,
    ...(summary ? { summary } : {}),
    facts,
    passages,
    entities: [...new Set(ranking.entities.map(nameOf))],
    total: ranking.total,
    truncated: cursor !== null,
    next_cursor: cursor,
    hints: [
      ...notes,
      ...(part?.notes ?? []),
      ...(ranking.mode === 'overview' && question.asOf ? [OF_ALL_TIMES] : []),
      ...Array.from(otherNames, ([key, names]) => otherNamesHint(nameOf(key), names)),
      ...(recent && ranking.total === 0 ? [NO_CHANGES] : []),
      ...(recent
        ? []
        : hintsOf({
            ...ranking,
            safeName: safe.name,
            limits: namesOf(limits),
            summary,
            linked,
            nearest: [...new Set(ranking.nearest.map(nameOf))],
            alsoMeant: ranking.alsoMeant.map(nameOf),
          })),
    ],
  }
}

/** The filters of a question, such as "in" and "where". */
const namesOf = ({ in: places, where }: Limits): string =>
  [places.length > 0 ? '"in"' : '', where.length > 0 ? '"where"' : ''].filter(Boolean).join(' and ')

/** Merges several entities with the same name. */
function distinctLinks(linked: Ranking['linked'], nameOf: (key: string) => string): Answer['linked'] {
  const named = linked.map(({ text, entity }) => ({ text, entity: nameOf(entity) }))
  return [...new Map(named.map(link => [`${link.text}\0${link.entity}`, link])).values()]
}
