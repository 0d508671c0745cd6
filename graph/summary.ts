import { oneLine } from './one-line.js'

/** Which way a relation is told: `out` from the entity, `in` towards it. */
export type Direction = 'out' | 'in'

/** What a mode tells besides facts and passages (GRAPH §4); exact counts, short lists. */
export type Summary = EntitySummary | EntitiesSummary | PathSummary | WalkSummary | OverviewSummary

export interface EntitySummary extends EntityCounts {
  kind: 'entity'
  /** Its relations, the commonest first. */
  relations: { predicate: string; direction: Direction; count: number }[]
  /** Kinds of relations that are left out above. */
  more_relations: number
}

/** Several entities, or the meanings of one name. */
export interface EntitiesSummary {
  kind: 'entities'
  entities: EntityCounts[]
}

export interface EntityCounts {
  name: string
  type: string | null
  facts: number
  passages: number
  /** Passages about others that mention it. */
  mentions: number
}

export interface PathSummary {
  kind: 'path'
  /** The shortest connections: `steps[i]` leads from `entities[i]` to `entities[i + 1]`. */
  paths: { entities: string[]; steps: { predicate: string; direction: Direction }[] }[]
  /** False when hubs kept the search from looking everywhere. */
  complete: boolean
}

export interface WalkSummary {
  kind: 'walk'
  start: string[]
  steps: { relation: string; direction: Direction | 'any'; facts: number }[]
  /** Entities at the end of the last step. */
  reached: number
  complete: boolean
}

export interface OverviewSummary {
  kind: 'overview'
  /** The types of which the entities below are, and how many there are; null if they are of any. */
  only: { types: string[]; entities: number } | null
  counts: { entities: number; facts: number; passages: number; types: number; predicates: number }
  /** Commonest first. */
  types: { type: string; count: number }[]
  predicates: { predicate: string; count: number }[]
  /** The best connected entities, with the number of their connections. */
  hubs: { name: string; degree: number }[]
  samples: string[]
}

/** The summary with its entities named anew: keys become names. */
export function renamed(summary: Summary, nameOf: (key: string) => string): Summary {
  if (summary.kind === 'entity') return { ...summary, name: nameOf(summary.name) }
  if (summary.kind === 'entities')
    return {
      ...summary,
      entities: summary.entities.map(entity => ({ ...entity, name: nameOf(entity.name) })),
    }
  if (summary.kind === 'walk') return { ...summary, start: summary.start.map(nameOf) }
  if (summary.kind === 'path') {
    const paths = summary.paths.map(path => ({ ...path, entities: path.entities.map(nameOf) }))
    return { ...summary, paths }
  }
  const hubs = summary.hubs.map(hub => ({ ...hub, name: nameOf(hub.name) }))
  return { ...summary, hubs, samples: summary.samples.map(nameOf) }
}

/** The summary with at most `length` items in each list. */
export function shortenedSummary(summary: Summary, length: number): Summary {
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
  }
}

/**
 * The summary as lines of text: a path as a chain, an entity's relations with their numbers if more than the
 * `shownFacts` after it. Several entities have their lines where their facts are (`entityLine`).
 */
export function summaryLines(summary: Summary, shownFacts: number): string[] {
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
  const said = known.length > 0 ? known.join(', ') : 'only the name is known'
  return oneLine(`${name}${type === null ? '' : ` (${type})`}: ${said}.`)
}

function entityLines(summary: EntitySummary, shownFacts: number): string[] {
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
    : [...lines, 'There can be others: hubs were not searched wholly.']
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

function overviewLines({ only, types, predicates, hubs, samples }: OverviewSummary): string[] {
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
