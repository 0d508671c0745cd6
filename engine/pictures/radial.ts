import { type Colours, coloursOf, legend } from './legend.js'
import {
  type Dot,
  type Picture,
  type PictureLabel,
  type PictureLine,
  type PictureThing,
  ROW,
  round,
} from './picture.js'
import {
  groupsOf,
  heightOf,
  type NeighbourGroup,
  type PictureNeighbour,
  placedAround,
  type Slot,
  sidesOf,
} from './sides.js'
import { fittedLabel } from './text-width.js'

export interface Neighbourhood {
  centre: PictureThing
  /** The most important first: at most `MAX_NEIGHBOURS` of the thing in the middle are drawn, with all of their own. */
  neighbours: readonly PictureNeighbour[]
  /** Pairs of neighbours that are related to each other, by their places in `neighbours`. */
  chords?: readonly (readonly [number, number])[]
  /** Neighbours of the thing in the middle that are not in the list. */
  others?: number
  /** Where the others are listed. */
  othersHref?: string
  /** The colours of types, if they are chosen for more than this picture. */
  colours?: Colours
}

/** Neighbours of the thing in the middle in one picture. */
export const MAX_NEIGHBOURS = 40

const MIDDLE = 380
/** The least width, for the legend. */
const NARROWEST = 240
/** Half the width of the ring, and the least distance of a neighbour from the vertical axis. */
const RING = 165
const NEAREST = 34
const LABEL = 192
const GAP = 12
const DOT = 6
/** Half the height of a ring with few neighbours. */
const FLATTEST = 70
const CENTRE = 240
/** Chords keep this distance from the middle. */
const BESIDE = 45
/** The distance of a neighbour's own neighbours from it. */
const INDENT = 24

interface Point {
  x: number
  y: number
}

interface RadialSpot extends Point {
  number: number
}

/**
 * The thing in the middle, its neighbours on a ring, grouped by predicate; each name is outside the ring in a row of
 * its own, so that no two overlap. The neighbours of a neighbour are below it, further out. Equal input gives an equal
 * picture, regardless of the order of neighbours.
 */
export function radial({
  centre,
  neighbours,
  chords = [],
  others = 0,
  othersHref,
  colours: ofAll,
}: Neighbourhood): Picture {
  const ring = placedAround(neighbours)
  const shown = ring.slice(0, MAX_NEIGHBOURS)
  const hidden = others + ring.length - shown.length
  const groups = groupsOf(shown)
  const [right, left] = sidesOf(groups)
  const height = Math.max(heightOf(right), heightOf(left), 2 * ROW)
  const middle = { x: MIDDLE, y: GAP + height / 2 }
  const drawn = [...right, ...left].flatMap(({ placed }) => placed?.neighbour ?? [])
  const colours = coloursOf([centre, ...drawn], ofAll)
  const { spots, lines, dots, labels } = drawSides({ right, left }, middle, height, colours)
  labels.unshift(centreLabel(centre, middle))

  let bottom = GAP + height + GAP
  if (hidden > 0) {
    labels.push(moreLabel(hidden, bottom, othersHref))
    bottom += ROW
  }
  const { left: start, width } = extentOf(labels)
  const key = legend(colours, width, bottom, start)
  const isFar = (pair: readonly number[]) => pair.some(at => typeof neighbours[at]?.of === 'number')
  return {
    title: centre.name,
    left: start,
    width,
    height: Math.ceil(bottom + key.height + GAP / 2),
    lines: [
      ...lines,
      ...arcsOf(groups, spots, middle),
      ...chords.flatMap(pair => chord(isFar(pair) ? 'far' : 'chord', pair, spots, middle)),
    ],
    dots: [...dots, ...key.dots],
    labels: [...labels, ...key.labels],
  }
}

/** The rows of both sides: a name or a predicate each, and for a name its dot and the line that leads to it. */
function drawSides(
  { right, left }: Record<'right' | 'left', readonly Slot[]>,
  middle: Point,
  height: number,
  colours: Colours,
) {
  const spots = new Map<number, RadialSpot>()
  const [lines, labels, dots]: [PictureLine[], PictureLabel[], Dot[]] = [[], [], []]
  for (const [slots, side] of [
    [right, 1],
    [left, -1],
  ] as const) {
    let y = middle.y - heightOf(slots) / 2
    for (const slot of slots) {
      const parent = slot.parent ? spots.get(slot.parent.at) : undefined
      const onLine = onRing(middle, y + slot.height / 2, height, side)
      const point = parent ? furtherOut(onLine, parent, side) : onLine
      const number = spots.size + 1
      labels.push(slotLabel(slot, point, side, number))
      if (slot.placed) {
        spots.set(slot.placed.at, { ...point, number })
        const type = slot.placed.neighbour.type ?? ''
        dots.push({ ...point, radius: DOT, colour: colours.get(type) ?? 'none', of: number })
        lines.push(parent ? twig(parent, { ...point, number }) : spoke(middle, { ...point, number }))
      }
      y += slot.height
    }
  }
  return { spots, lines, labels, dots }
}

/** The point of the ring at this height: an ellipse, kept away from the vertical axis. */
function onRing(middle: Point, y: number, height: number, side: 1 | -1): Point {
  const reach = Math.max(FLATTEST, height / 2)
  const share = Math.min(1, Math.abs(y - middle.y) / reach)
  const x = Math.max(NEAREST, RING * Math.sqrt(1 - share * share))
  return { x: round(middle.x + side * x), y: round(y) }
}

/** Next to its neighbour, and never inside the ring, where the thing in the middle is. */
function furtherOut(onLine: Point, parent: Point, side: 1 | -1): Point {
  return { x: round(side * Math.max(side * onLine.x, side * parent.x + INDENT)), y: onLine.y }
}

function slotLabel(
  { group, placed, parent, height }: Slot,
  { x, y }: Point,
  side: 1 | -1,
  number: number,
): PictureLabel {
  const arrow = group.direction === 'out' ? '' : '\u2190 '
  const whole = placed ? placed.neighbour.name : arrow + group.predicate
  const boxOf = (width: number) => {
    const start = side === 1 ? x + GAP : x - GAP - width
    return { x: round(start), y: round(y - height / 2), width: round(width), height }
  }
  return fittedLabel(placed ? 'name' : 'predicate', whole, parent ? LABEL - INDENT : LABEL, boxOf, {
    anchor: side === 1 ? 'start' : 'end',
    of: placed ? number : undefined,
    href: placed?.neighbour.href,
  })
}

const centreLabel = (centre: PictureThing, middle: Point) =>
  middleLabel('centre', centre.name, CENTRE - 2 * GAP, { y: middle.y - 17, height: 34, beside: GAP })

const moreLabel = (hidden: number, y: number, href: string | undefined) =>
  middleLabel('more', `+ ${hidden.toLocaleString('en')} more`, LABEL, { y, height: ROW, beside: 0 }, href)

/** A label on the vertical axis. `beside`: pixels between the text and each side of its box. */
function middleLabel(
  kind: 'centre' | 'more',
  whole: string,
  room: number,
  { y, height, beside }: { y: number; height: number; beside: number },
  href?: string,
): PictureLabel {
  const boxOf = (text: number) => {
    const width = text + 2 * beside
    return { x: round(MIDDLE - width / 2), y, width: round(width), height }
  }
  return fittedLabel(kind, whole, room, boxOf, { anchor: 'middle', href })
}

const spoke = (from: Point, to: RadialSpot): PictureLine => ({
  kind: 'spoke',
  path: `M${from.x} ${from.y}L${to.x} ${to.y}`,
  of: [to.number],
})

const twig = (from: RadialSpot, to: RadialSpot): PictureLine => ({
  kind: 'twig',
  path: `M${from.x} ${from.y}V${to.y}H${to.x}`,
  of: [from.number, to.number],
})

/** A line along each group of several neighbours, just inside the ring, unless others are between them. */
function arcsOf(
  groups: readonly NeighbourGroup[],
  spots: ReadonlyMap<number, RadialSpot>,
  middle: Point,
): PictureLine[] {
  return groups.flatMap(({ members }) => {
    const points = members.flatMap(({ at }) => spots.get(at) ?? [])
    if (points.length < 2 || members.some(({ groups }) => groups.length > 0)) return []
    const clockwise = [
      ...points.filter(({ x }) => x > middle.x).sort((a, b) => a.y - b.y),
      ...points.filter(({ x }) => x < middle.x).sort((a, b) => b.y - a.y),
    ]
    const path = `M${clockwise.map(({ x, y }) => `${x} ${y}`).join('L')}`
    return [{ kind: 'arc' as const, path, of: clockwise.map(({ number }) => number) }]
  })
}

/** A curve between two neighbours that bends towards the middle. */
function chord(
  kind: 'chord' | 'far',
  [from, to]: readonly [number, number],
  spots: ReadonlyMap<number, RadialSpot>,
  middle: Point,
): PictureLine[] {
  const [a, b] = [spots.get(from), spots.get(to)]
  if (!a || !b || a === b) return []
  const half = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
  const isAcross = Math.hypot(half.x - middle.x, half.y - middle.y) < BESIDE
  // Towards the middle, or around it, where the curve would look like two spokes.
  const bend = isAcross
    ? { x: half.x, y: middle.y + (half.y < middle.y ? -2 : 2) * BESIDE }
    : { x: (half.x + middle.x) / 2, y: (half.y + middle.y) / 2 }
  const path = `M${a.x} ${a.y}Q${round(bend.x)} ${round(bend.y)} ${b.x} ${b.y}`
  return [{ kind, path, of: [a.number, b.number] }]
}

/** As wide as its labels, so that a picture of short names fits a small screen. */
function extentOf(labels: readonly PictureLabel[]): { left: number; width: number } {
  const left = Math.floor(Math.min(...labels.map(({ box }) => box.x))) - GAP
  const right = Math.ceil(Math.max(...labels.map(({ box }) => box.x + box.width))) + GAP
  return { left, width: Math.max(right - left, NARROWEST) }
}
