import { type PictureThing, ROW } from './picture.js'

/** A neighbour of the thing in the middle, or of one of its neighbours, and the relation that connects them. */
export interface PictureNeighbour extends PictureThing {
  predicate: string
  /** `out`: towards the neighbour. */
  direction: 'out' | 'in'
  /** The neighbour it belongs to, by its place in `neighbours`; absent for those of the thing in the middle. */
  of?: number | null
}

const HEADING = 20
/** How uneven the two sides may become so that a group stays on one of them. */
const PATIENCE = 4 * ROW

/** Neighbours by the same relation. */
export interface NeighbourGroup {
  predicate: string
  direction: 'out' | 'in'
  members: PlacedNeighbour[]
}

/** A neighbour with its own neighbours. */
interface PlacedNeighbour {
  neighbour: PictureNeighbour
  /** Its place in the input. */
  at: number
  /** Its own neighbours. */
  groups: NeighbourGroup[]
}

/** A row beside the ring: a neighbour, or the predicate of the rows that follow. */
export interface Slot {
  group: NeighbourGroup
  placed: PlacedNeighbour | null
  /** The neighbour whose own neighbours are below it. */
  parent: PlacedNeighbour | null
  height: number
}

/** The neighbours of the thing in the middle, each with its own, or of the neighbour at this place. */
export function placedAround(
  neighbours: readonly PictureNeighbour[],
  of: number | null = null,
): PlacedNeighbour[] {
  return neighbours.flatMap((neighbour, at) => {
    if ((neighbour.of ?? null) !== of) return []
    return [{ neighbour, at, groups: of === null ? groupsOf(placedAround(neighbours, at)) : [] }]
  })
}

/** Relations from the thing first, then relations to it; each by predicate, the neighbours by name. */
export function groupsOf(members: readonly PlacedNeighbour[]): NeighbourGroup[] {
  const groups = new Map<string, NeighbourGroup>()
  for (const member of members) {
    const { predicate, direction } = member.neighbour
    const name = `${direction} ${predicate}`
    const group = groups.get(name) ?? { predicate, direction, members: [] }
    group.members.push(member)
    groups.set(name, group)
  }
  const byName = (a: PlacedNeighbour, b: PlacedNeighbour) =>
    compare(a.neighbour.name, b.neighbour.name) || compare(a.neighbour.href, b.neighbour.href) || a.at - b.at
  for (const { members } of groups.values()) members.sort(byName)
  return [...groups.values()].sort(
    (a, b) => compare(b.direction, a.direction) || compare(a.predicate, b.predicate),
  )
}

/** The order of two texts, for sorting. */
export const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The rows of the right side and of the left one, from the top down. Clockwise, the left side begins at the bottom; a
 * group on both sides is around the bottom and has its predicate on the right.
 */
export function sidesOf(groups: readonly NeighbourGroup[]): [right: Slot[], left: Slot[]] {
  const rows = groups.flatMap(group => group.members.map(placed => ({ group, placed })))
  const slotsOf = (part: typeof rows, before?: NeighbourGroup): Slot[] =>
    part.flatMap(({ group, placed }, at) => {
      const isFirst = group !== (part[at - 1]?.group ?? before)
      const own = placed.groups.flatMap(group => [
        headingOf(group, placed),
        ...group.members.map(member => ({ group, placed: member, parent: placed, height: ROW })),
      ])
      return [
        ...(isFirst ? [headingOf(group, null)] : []),
        { group, placed, parent: null, height: ROW },
        ...own,
      ]
    })
  const total = heightOf(slotsOf(rows))
  let best = { unevenness: Number.POSITIVE_INFINITY, at: rows.length }
  for (let at = 1; at <= rows.length; at++) {
    const isInside = rows[at]?.group === rows[at - 1]?.group
    const unevenness = Math.abs(total - 2 * heightOf(slotsOf(rows.slice(0, at)))) + (isInside ? PATIENCE : 0)
    if (unevenness < best.unevenness) best = { unevenness, at }
  }
  const rest = rows.slice(best.at)
  const shared = rows[best.at - 1]?.group
  const continued = rest.filter(({ group }) => group === shared)
  const left = groups
    .toReversed()
    .flatMap(group => slotsOf(rest.filter(row => row.group === group && group !== shared)))
  return [slotsOf(rows.slice(0, best.at)), [...left, ...slotsOf(continued, shared)]]
}

const headingOf = (group: NeighbourGroup, parent: PlacedNeighbour | null): Slot => ({
  group,
  placed: null,
  parent,
  height: HEADING,
})

/** The height of rows. */
export const heightOf = (slots: readonly Slot[]) => slots.reduce((sum, { height }) => sum + height, 0)
