import { type Answer, leadLines } from '../../../domain/safes/ask/answer.js'
import { entityLine } from '../../../domain/safes/ask/summary-lines.js'
import { normalizeName } from '../../../engine/graph/index.js'
import { showNumber } from '../../../platform/common/format.js'
import { askTexts } from '../../../views/texts/ask.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { browsePath, namePath } from '../safes/safe-links.js'
import type { CountedLink } from './thing-link.js'

/** The part before the facts and passages of an answer: sentences, paths and lists of links. */
interface AnswerLead {
  lines: string[]
  /** Names, each with the relation that leads to it from the one before. */
  paths: { name: string; href: string; relation: { text: string; href: string } | null }[][]
  lists: { title: string; items: CountedLink[] }[]
}

type Summary = NonNullable<Answer['summary']>
type SummaryOf<Kind extends Summary['kind']> = Extract<Summary, { kind: Kind }>

/** The part before the items of an answer. */
export function answerLead(answer: Answer, safePath: string): AnswerLead {
  const { summary, facts } = answer
  if (summary?.kind === 'overview') return { lines: [], paths: [], lists: overviewLists(summary, safePath) }
  if (summary?.kind === 'path') return pathLead(summary, answer, safePath)
  if (summary?.kind === 'entity') {
    const lists = summary.facts > facts.length ? [relationsList(summary, safePath)] : []
    return { lines: [entityLine(summary)], paths: [], lists }
  }
  // Recognized names are links of their own.
  return { lines: linesOf(answer), paths: [], lists: [] }
}

/** The lines of the text form, without those that a page shows in other places. */
function linesOf({ lead: _lead, verdict: _verdict, ...answer }: Answer): string[] {
  return leadLines({ ...answer, linked: [] })
}

/** Those lists that have items. */
const listed = (...lists: [title: string, items: CountedLink[]][]) =>
  lists.filter(([, items]) => items.length > 0).map(([title, items]) => ({ title, items }))

const link = (name: string, href: string, count?: number): CountedLink => ({
  name,
  href,
  count: count === undefined ? '' : showNumber(count),
})

const thing = (safePath: string, name: string, count?: number) => link(name, namePath(safePath, name), count)

function overviewLists(
  { only, types, predicates, hubs, samples }: SummaryOf<'overview'>,
  safePath: string,
): AnswerLead['lists'] {
  const m = thingsTexts.browse
  const names = [...hubs.map(({ name }) => name), ...samples]
  if (only && names.length > 0) {
    const all = only.types.map(type => link(m.ofType(type), browsePath(safePath, { type })))
    const items = [...names.map(name => thing(safePath, name)), ...(only.entities > names.length ? all : [])]
    return [{ title: askTexts.answer.ofTypes(only.types, only.entities), items }]
  }
  return listed(
    [m.lists.types, types.map(({ type, count }) => link(type, browsePath(safePath, { type }), count))],
    [
      m.lists.relations,
      predicates.map(({ predicate, count }) =>
        link(predicate, browsePath(safePath, { relation: predicate }), count),
      ),
    ],
    [askTexts.questions.hubs, hubs.map(({ name, degree }) => thing(safePath, name, degree))],
    [askTexts.answer.alsoIn, samples.map(name => thing(safePath, name))],
  )
}

function relationsList({ name, relations }: SummaryOf<'entity'>, safePath: string) {
  const of = normalizeName(name)
  const items = relations.map(({ predicate, direction, count }) =>
    link(
      direction === 'out' ? predicate : `\u2190 ${predicate}`,
      browsePath(safePath, { relation: predicate, of, direction }),
      count,
    ),
  )
  return { title: thingsTexts.browse.lists.relations, items }
}

function pathLead(summary: SummaryOf<'path'>, answer: Answer, safePath: string): AnswerLead {
  const paths = summary.paths.filter(({ steps }) => steps.length > 0)
  return {
    // The line after the paths says that there may be more.
    lines: linesOf(answer).slice(paths.length),
    paths: paths.map(({ entities, steps }) =>
      entities.map((name, at) => ({
        name,
        href: namePath(safePath, name),
        relation: relationTo(steps[at - 1], safePath),
      })),
    ),
    lists: [],
  }
}

function relationTo(step: { predicate: string; direction: 'out' | 'in' } | undefined, safePath: string) {
  if (!step) return null
  const { predicate, direction } = step
  const text = direction === 'out' ? `\u2014 ${predicate} \u2192` : `\u2190 ${predicate} \u2014`
  return { text, href: browsePath(safePath, { relation: predicate }) }
}
