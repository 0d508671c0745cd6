import type { EntityCounts, PathSummary, WalkSummary } from '../../../engine/graph/index.js'
import type { AnswerEntitySummary, AnswerOverview, AnswerSummary } from './answer-summary.js'
import { oneLine } from './one-line.js'

/** Shortens each list of the summary to `length` items. */
export function shortenedSummary(summary: AnswerSummary, length: number): AnswerSummary {
  if (summary.kind === 'entity') {
    const cut = Math.max(0, summary.relations.length - length)
    const more_relations = summary.more_relations + cut
    return { ...summary, relations: summary.relations.slice(0, length), more_relations }
  }
  if (summary.kind === 'entities') return { ...summary, entities: summary.entities.slice(0, length) }
  if (summary.kind === 'walk') return { ...summary, start: summary.start.slice(0, length) }
  if (summary.kind === 'path') return { ...summary, paths: summary.paths.slice(0, length) }
  return {
    ...summary,
    types: summary.types.slice(0, length),
    predicates: summary.predicates.slice(0, length),
    hubs: summary.hubs.slice(0, length),
    samples: summary.samples.slice(0, length),
    ...(summary.folders && { folders: summary.folders.slice(0, length) }),
    ...(summary.tags && { tags: summary.tags.slice(0, length) }),
  }
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
    direction === 'out' ? `${predicate} \u2192 ${number(count)}` : `\u2190 ${predicate} ${number(count)}`,
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
  const end = reached === 1 && complete ? '1 entity' : `${number(reached)}${most} entities`
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
    const more = only.entities > some.length ? ` and ${number(only.entities - some.length)} more` : ''
    if (some.length > 0)
      return [
        oneLine(`Of type ${only.types.join(' or ')}, ${number(only.entities)}: ${some.join('; ')}${more}.`),
      ]
  }
  return [
    listLine(
      'Types',
      types.map(({ type, count }) => `${type} ${number(count)}`),
    ),
    listLine(
      'Relations',
      predicates.map(({ predicate, count }) => `${predicate} ${number(count)}`),
    ),
    listLine(
      'Best connected',
      hubs.map(({ name, degree }) => `${name} ${number(degree)}`),
    ),
    listLine('Also in it', samples),
    listLine(
      'Folders',
      folders.map(({ folder, documents }) => `${folder} ${number(documents)}`),
    ),
    listLine(
      'Tags',
      tags.map(({ tag, documents }) => `${tag} ${number(documents)}`),
    ),
  ]
    .filter(Boolean)
    .map(oneLine)
}

function listLine(label: string, items: string[]): string {
  return items.length === 0 ? '' : `${label}: ${items.join('; ')}.`
}

/** "1,200 entities, 3,400 facts and 560 passages". */
export function sizeText(counts: { entities: number; facts: number; passages: number }): string {
  const { entities, facts, passages } = counts
  const named = entities === 1 ? '1 entity' : `${number(entities)} entities`
  return `${named}, ${counted(facts, 'fact')} and ${counted(passages, 'passage')}`
}

/** "1 fact", "1,200 facts". */
export function counted(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? '' : 's'}`
}

const thousands = new Intl.NumberFormat('en')

function number(count: number): string {
  return count < 1000 ? String(count) : thousands.format(count)
}
