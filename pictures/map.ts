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

/** WCAG 2.2 AA asks for targets of at least 24 pixels (2.5.8). */
const LEAST = 24
/** Between regions. */
const GAP = 4
/** The name of a region above its places, and from which size on it has one. */
const CAPTION = 24
const CAPTIONED = { width: 72, height: 72 }
/** The least area of a shared tile, in squares of the least width: what fits first. */
const LARGER = [0, 2, 4, 8, 16]
const PADDING = 6
const LINE = 16

/** A treemap of two levels as SVG: regions, and places in them. What would be too small for a finger shares a tile. */
export function mapSvg(atlas: Atlas): string {
  const { title, width, height, regions, other, sizeOf } = atlas
  const whole = { x: 0, y: 0, width: width + GAP, height: height + GAP }
  const { boxes, other: rest } = fitting(regions, whole, other.weight, LEAST + GAP)
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
 * As many tiles as are at least so wide and high; the others share one. That one is drawn larger than it is where a finger
 * needs it, or a few bytes would take the tiles beside them with them.
 */
function fitting(items: readonly Place[], box: Box, rest: number, least: number): Treemap {
  const weights = items.map(({ weight }) => weight)
  const unit = (sum(items) + rest) / (box.width * box.height)
  for (let shown = weights.length; shown > 0; shown--) {
    const isShared = rest > 0 || shown < weights.length
    if ((weights[shown - 1] ?? 0) < least * least * unit) continue
    const shared = sum(items.slice(shown)) + rest
    for (const times of isShared ? LARGER : [0]) {
      const others = Math.max(shared, times * least * least * unit)
      const found = treemap(weights.slice(0, shown), box, shown + 1, others)
      if (isWideEnough(found, least)) return found
    }
  }
  return treemap(weights, box, 1, rest)
}

const isWideEnough = ({ boxes, other }: Treemap, least: number) =>
  [...boxes, ...(other ? [other] : [])].every(({ width, height }) => Math.min(width, height) >= least)

function drawnRegion(atlas: Atlas, region: Region, box: Box): string {
  const { more, sizeOf } = atlas
  const { places, colour } = region
  const hasCaption = places.length > 1 && box.width >= CAPTIONED.width && box.height >= CAPTIONED.height
  const inner = hasCaption ? { ...box, y: box.y + CAPTION, height: box.height - CAPTION } : box
  const { boxes, other } = fitting(places, inner, region.weight - sum(places), LEAST)
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
  const y = box.y + PADDING + LINE / 2
  const read = reads === undefined ? undefined : heat?.(reads)
  const lines = [size, ...(read ? [read.says] : [])]
  const room = box.width < 64 ? 0 : Math.floor((box.height - PADDING - LINE) / LINE)
  return link(
    { name: more === '' ? name : `${name}: ${more}`, size: lines.join(' \u00b7 '), href },
    [
      `<rect class="target t-${read?.colour ?? colour}"${edges(box)} rx="3"/>`,
      line('place', more || name, box, y),
      ...lines.slice(0, room).map((text, at) => line('size', text, box, y + (at + 1) * LINE)),
    ].join(''),
  )
}

function caption(region: Region, box: Box): string {
  const own = { ...box, height: CAPTION }
  return link(
    region,
    `<rect class="target caption"${edges(own)}/>${line('region', region.name, own, own.y + CAPTION / 2)}`,
  )
}

const link = ({ name, size, href }: Omit<Place, 'weight'>, drawn: string) =>
  `<a href="${escaped(href)}"><title>${isolated(name)} \u00b7 ${escaped(size)}</title>${drawn}</a>`

/** Nothing if not even a few letters have room. */
function line(kind: string, whole: string, box: Box, y: number): string {
  const { text, isCut } = fitText(whole, box.width - 2 * PADDING, FONT.predicate)
  if (isCut && text.length < 4) return ''
  return `<text class="${kind}" x="${round(box.x + PADDING)}" y="${round(y)}" dy=".35em">${isolated(text)}</text>`
}

const edges = ({ x, y, width, height }: Box) =>
  ` x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`

const round = (value: number) => Math.round(value * 10) / 10
