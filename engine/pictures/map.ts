import { type Box, type Colour, FONT } from './picture.js'
import { escaped, isolated } from './svg.js'
import { fitText } from './text-width.js'
import { type Treemap, treemap } from './treemap.js'

/** Something on the map, and where it leads. */
export interface Place {
  name: string
  /** How large it is, in words. */
  size: string
  href: string
  weight: number
  /** How often it was read, if its colour shows that. */
  reads?: number | undefined
}

/** How often something was read, as its colour says. */
export type Heat = 'never' | 'rarely' | 'at-times' | 'often'

/** A part of the map, such as a folder, and the largest of what it contains, the largest first. */
export interface Region extends Place {
  colour: Colour
  places: Place[]
}

export interface Atlas {
  /** What it shows, for people who do not see it. */
  title: string
  width: number
  height: number
  /** The largest first. */
  regions: readonly Region[]
  /** What is in none of the regions. */
  other: Place
  /** The name of what has no tile of its own. */
  more: string
  sizeOf(weight: number): string
  /** How often something was read, as colour and in words; missing: colours are those of the regions. */
  heat?: ((reads: number) => { colour: Heat; says: string }) | undefined
}

/** Room for a short name, and more than the 24 pixels that WCAG 2.2 AA asks of a target (2.5.8). */
const MIN = { width: 64, height: 28 }
/** Between regions. */
const GAP = 4
/** The name of a region above its places, and from which size on it has one. */
const CAPTION = 24
const CAPTIONED = { width: 72, height: 72 }
/** The least area of a shared tile, in tiles of the least size: what fits first. */
const LARGER = [0, 2, 4, 8, 16]
const PADDING = 6
const LINE = 16

/** A treemap of two levels as SVG: regions, and places in them. What would be too small for a finger shares a tile. */
export function mapSvg(atlas: Atlas): string {
  const { title, width, height, regions, other, sizeOf } = atlas
  const whole = { x: 0, y: 0, width: width + GAP, height: height + GAP }
  const { boxes, other: rest } = fitting(regions, whole, other.weight, GAP)
  const drawn = boxes.map((box, at) => drawnRegion(atlas, regions[at] as Region, withoutGap(box)))
  if (rest) {
    const weight = sum(regions.slice(boxes.length)) + other.weight
    drawn.push(tile(atlas, { ...other, size: sizeOf(weight) }, withoutGap(rest), 'none'))
  }
  return [
    `<svg class="picture map" viewBox="0 0 ${width} ${height}" role="group" aria-label="${escaped(title)}">`,
    ...drawn,
    '</svg>',
  ].join('')
}

const withoutGap = ({ x, y, width, height }: Box): Box => ({
  x,
  y,
  width: width - GAP,
  height: height - GAP,
})

const sum = (places: readonly Place[]) => places.reduce((total, { weight }) => total + weight, 0)

/**
 * As many tiles as are large enough with this gap beside them; the others share one. That one is drawn larger than it is
 * where a finger needs it, or a few bytes would take the tiles beside them with them.
 */
function fitting(items: readonly Place[], box: Box, rest: number, gap = 0): Treemap {
  const least = { width: MIN.width + gap, height: MIN.height + gap }
  const area = least.width * least.height
  const weights = items.map(({ weight }) => weight)
  const unit = (sum(items) + rest) / (box.width * box.height)
  for (let shown = weights.length; shown > 0; shown--) {
    const isShared = rest > 0 || shown < weights.length
    if ((weights[shown - 1] ?? 0) < area * unit) continue
    const shared = sum(items.slice(shown)) + rest
    for (const times of isShared ? LARGER : [0]) {
      const others = Math.max(shared, times * area * unit)
      const found = treemap(weights.slice(0, shown), box, shown + 1, others)
      if (isLargeEnough(found, least)) return found
    }
  }
  return treemap(weights, box, 1, rest)
}

const isLargeEnough = ({ boxes, other }: Treemap, least: typeof MIN) =>
  [...boxes, ...(other ? [other] : [])].every(
    ({ width, height }) => width >= least.width && height >= least.height,
  )

function drawnRegion(atlas: Atlas, region: Region, box: Box): string {
  const { more, sizeOf } = atlas
  const { places, colour } = region
  const hasCaption = places.length > 1 && box.width >= CAPTIONED.width && box.height >= CAPTIONED.height
  const inner = hasCaption ? { ...box, y: box.y + CAPTION, height: box.height - CAPTION } : box
  const { boxes, other } = fitting(places, inner, region.weight - sum(places))
  if (boxes.length === 0) return tile(atlas, region, box, colour)
  const shown = places.slice(0, boxes.length)
  const rest = { size: sizeOf(region.weight - sum(shown)), reads: readsOfRest(region, shown) }
  return [
    hasCaption ? caption(region, box) : '',
    ...boxes.map((within, at) => tile(atlas, places[at] as Place, within, colour)),
    other ? tile(atlas, { ...region, ...rest }, other, colour, more) : '',
  ].join('')
}

const readsOfRest = ({ reads }: Region, shown: readonly Place[]) =>
  reads === undefined
    ? undefined
    : Math.max(0, reads - shown.reduce((sum, place) => sum + (place.reads ?? 0), 0))

/** A link to a place, or to `more` of it. */
function tile(
  { heat }: Atlas,
  { name, size, href, reads }: Omit<Place, 'weight'>,
  box: Box,
  colour: Colour,
  more = '',
): string {
  const read = reads === undefined ? undefined : heat?.(reads)
  const names = linesOf(more || name, box)
  const room = roomIn(box) - names.length
  return link(
    {
      name: more === '' ? name : `${name}: ${more}`,
      size: [size, ...(read ? [read.says] : [])].join(' \u00b7 '),
      href,
    },
    [
      `<rect class="target t-${read?.colour ?? colour}"${edges(box)} rx="3"/>`,
      ...names.map((text, at) => line('place', text, box, at)),
      room > 0 ? line('size', fitted(size, box).text, box, names.length) : '',
    ].join(''),
  )
}

/** How many lines of text are high enough for a box. */
const roomIn = ({ height }: Box) => Math.floor((height - PADDING) / LINE)

const fitted = (text: string, { width }: Box) => fitText(text, width - 2 * PADDING, FONT.predicate)

/** A name in as many lines as it takes and the box has room for, broken between words; the last may be cut. */
function linesOf(name: string, box: Box): string[] {
  const lines: string[] = []
  const words = name.split(' ')
  while (words.length > 0 && lines.length < roomIn(box)) {
    let taken = lines.length === roomIn(box) - 1 ? words.length : 1
    while (taken < words.length && !fitted(words.slice(0, taken + 1).join(' '), box).isCut) taken++
    lines.push(fitted(words.splice(0, taken).join(' '), box).text)
  }
  return lines
}

function caption(region: Region, box: Box): string {
  const own = { ...box, height: CAPTION }
  return link(
    region,
    `<rect class="target caption"${edges(own)}/>${line('region', fitted(region.name, own).text, own, 0)}`,
  )
}

const link = ({ name, size, href }: Omit<Place, 'weight'>, drawn: string) =>
  `<a href="${escaped(href)}"><title>${isolated(name)} \u00b7 ${escaped(size)}</title>${drawn}</a>`

/** A line of text in a box, the first of them at its top. */
function line(kind: string, text: string, { x, y }: Box, at: number): string {
  const middle = y + PADDING + (at + 0.5) * LINE
  return `<text class="${kind}" x="${round(x + PADDING)}" y="${round(middle)}" dy=".35em">${isolated(text)}</text>`
}

const edges = ({ x, y, width, height }: Box) =>
  ` x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`

const round = (value: number) => Math.round(value * 10) / 10
