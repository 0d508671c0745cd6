/** The direction of a relation: `out` from the entity, `in` towards it. */
export type Direction = 'out' | 'in'

/** A mode's result besides facts and passages (GRAPH §4): exact counts, short lists. */
export type Summary = EntitySummary | EntitiesSummary | PathSummary | WalkSummary | OverviewSummary

export interface EntitySummary extends EntityCounts {
  kind: 'entity'
  /** Its relations, the most frequent first. */
  relations: { predicate: string; direction: Direction; count: number }[]
  /** Kinds of relations missing from the list. */
  moreRelations: number
}

/** Several entities, or the meanings of one name. */
interface EntitiesSummary {
  kind: 'entities'
  entities: EntityCounts[]
}

export interface EntityCounts {
  name: string
  type: string | null
  facts: number
  passages: number
  /** Passages about other entities that mention it. */
  mentions: number
}

export interface PathSummary {
  kind: 'path'
  /** The shortest connections: `steps[i]` leads from `entities[i]` to `entities[i + 1]`. */
  paths: { entities: string[]; steps: { predicate: string; direction: Direction }[] }[]
  /** False when the search was limited at hubs. */
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
  /** The requested types and their number of entities; null for all types. */
  only: { types: string[]; entities: number } | null
  counts: { entities: number; facts: number; passages: number; types: number; predicates: number }
  /** Most frequent first. */
  types: { type: string; count: number }[]
  predicates: { predicate: string; count: number }[]
  /** The best connected entities and their number of connections. */
  hubs: { name: string; degree: number }[]
  samples: string[]
}

/** Replaces the keys in a summary by names. */
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
