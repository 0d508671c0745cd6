import type { EntityCounts, PathSummary, WalkSummary } from '../../../engine/graph/index.js'
import { counted as of, showNumber } from '../../../platform/common/format.js'
import type { AnswerEntitySummary, AnswerOverview, AnswerSummary } from './answer-summary.js'
import { oneLine } from './one-line.js'

/** The lists in summaries of each kind. */
const LISTS: Record<AnswerSummary['kind'], readonly string[]> = {
  entity: ['relations'],
  entities: ['entities'],
  walk: ['start'],
  path: ['paths'],
  overview: ['types', 'predicates', 'hubs', 'samples', 'folders', 'tags'],
}

/** Shortens each list of the summary to `length` items. */
export function shortenedSummary(summary: AnswerSummary, length: number): AnswerSummary {
  const shorter = Object.entries(summary).map(([name, value]) => [
    name,
    LISTS[summary.kind].includes(name) ? value.slice(0, length) : value,
  ])
  if (summary.kind !== 'entity') return Object.fromEntries(shorter)
  const cut = Math.max(0, summary.relations.length - length)
  return { ...Object.fromEntries(shorter), more_relations: summary.more_relations + cut }
}

/**
 * The summary as lines of text: a path as a chain; an entity's relations with their counts, if it has more
 * facts than `shownFacts`. With several entities, each line is shown with its facts (`entityLine`).
 */
export function summaryLines(summary: AnswerSummary, shownFacts: number): string[] {
  if (summary.kind === 'entity') return entityLines(summary, shownFacts)
  if (summary.kind === 'entities') return []
  if (summary.kind === 'path') return pathLines(summary)
  if (summary.kind === 'walk') return [walkLine(summary)]
  return overviewLines(summary)
}

/** "Ada (person): 3 facts, 1 passage about it." */
export function entityLine({ name, type, facts, passages, mentions }: EntityCounts): string {
  const known = [
    facts > 0 ? counted(facts, 'fact') : '',
    passages > 0 ? `${counted(passages, 'passage')} about it` : '',
    mentions > 0 ? `mentioned in ${counted(mentions, 'other passage')}` : '',
  ].filter(Boolean)
  const description = known.length > 0 ? known.join(', ') : 'only the name is known'
  return oneLine(`${name}${type === null ? '' : ` (${type})`}: ${description}.`)
}

function entityLines(summary: AnswerEntitySummary, shownFacts: number): string[] {
  const { relations, more_relations, facts } = summary
  const kinds = relations.map(({ predicate, direction, count }) =>
    direction === 'out'
      ? `${predicate} \u2192 ${showNumber(count)}`
      : `\u2190 ${predicate} ${showNumber(count)}`,
  )
  if (more_relations > 0) kinds.push(`${counted(more_relations, 'more kind')}`)
  const listed = facts > shownFacts ? [oneLine(listLine('Relations', kinds))] : []
  return [entityLine(summary), ...listed]
}

function pathLines({ paths, complete }: PathSummary): string[] {
  const chains = paths
    .filter(path => path.steps.length > 0)
    .map(({ entities, steps }) =>
      steps.reduce(
        (chain, { predicate, direction }, at) =>
          direction === 'out'
            ? `${chain} \u2014 ${predicate} \u2192 ${entities[at + 1]}`
            : `${chain} \u2190 ${predicate} \u2014 ${entities[at + 1]}`,
        entities[0] ?? '',
      ),
    )
  const lines = chains.map(oneLine)
  return complete || lines.length === 0
    ? lines
    : [...lines, 'There may be more: entities with very many relations were searched in part.']
}

function walkLine({ start, steps, reached, complete }: WalkSummary): string {
  const way = steps.map(({ relation, direction, facts }) => {
    const step =
      direction === 'out'
        ? `\u2014 ${relation} \u2192`
        : direction === 'in'
          ? `\u2190 ${relation} \u2014`
          : `\u2014 ${relation} \u2014`
    return `${step} (${counted(facts, 'fact')})`
  })
  const most = complete ? '' : ' or more'
  const end = reached === 1 && complete ? '1 entity' : `${showNumber(reached)}${most} entities`
  return oneLine(`From ${start.join('; ')} ${way.join(' ')} to ${end}.`)
}

function overviewLines({
  only,
  types,
  predicates,
  hubs,
  samples,
  folders = [],
  tags = [],
}: AnswerOverview): string[] {
  if (only) {
    const some = [...hubs.map(({ name }) => name), ...samples]
    const more = only.entities > some.length ? ` and ${showNumber(only.entities - some.length)} more` : ''
    if (some.length > 0)
      return [
        oneLine(
          `Of type ${only.types.join(' or ')}, ${showNumber(only.entities)}: ${some.join('; ')}${more}.`,
        ),
      ]
  }
  const lists: [label: string, items: string[]][] = [
    ['Types', types.map(({ type, count }) => `${type} ${showNumber(count)}`)],
    ['Relations', predicates.map(({ predicate, count }) => `${predicate} ${showNumber(count)}`)],
    ['Best connected', hubs.map(({ name, degree }) => `${name} ${showNumber(degree)}`)],
    ['Also in it', samples],
    ['Folders', folders.map(({ folder, documents }) => `${folder} ${showNumber(documents)}`)],
    ['Tags', tags.map(({ tag, documents }) => `${tag} ${showNumber(documents)}`)],
  ]
  return lists.filter(([, items]) => items.length > 0).map(list => oneLine(listLine(...list)))
}

const listLine = (label: string, items: string[]) => `${label}: ${items.join('; ')}.`

/** "1,200 entities, 3,400 facts and 560 passages". */
export function sizeText(counts: { entities: number; facts: number; passages: number }): string {
  const { entities, facts, passages } = counts
  const named = entities === 1 ? '1 entity' : `${showNumber(entities)} entities`
  return `${named}, ${counted(facts, 'fact')} and ${counted(passages, 'passage')}`
}

/** "1 fact", "1,200 facts". */
export const counted = (count: number, what: string) => of(what, `${what}s`)(count)
