import { type Box, type Colour, FONT, round } from './picture.js'
import { escaped, isolated } from './svg.js'
import { fitText } from './text-width.js'
import { treemap } from './treemap.js'

/** Tiles that a map should have at most. */
export const MAX_TILES = 40

/** An amount, such as reads, shown as a colour. */
export type Heat = 'never' | 'rarely' | 'at-times' | 'often'

/** Something on the map, and where it leads. */
export interface MapPlace {
  name: string
  /** How large it is, in words. */
  size: string
  href: string
  weight: number
  /** The colour of its tile and its meaning; missing: that of its region. */
  heat?: { colour: Heat; says: string } | undefined
}

/** A part of the map, such as a folder, and the largest of what it contains, the largest first. */
export interface Region extends MapPlace {
  colour: Colour
  places: MapPlace[]
}

export interface Atlas {
  /** A description for people who cannot see it. */
  title: string
  width: number
  height: number
  /** The largest first. */
  regions: readonly Region[]
  /** Places outside all regions. */
  other: MapPlace
  /** The name of the places without a tile of their own. */
  more: string
  sizeOf(weight: number): string
}

/** Room for a short name, and more than the 24 pixels that WCAG 2.2 AA asks of a target (2.5.8). */
const MIN = { width: 64, height: 28 }
/** Between regions. */
const GAP = 4
/** The name of a region above its places, and from which size on it has one. */
const CAPTION = 24
const CAPTIONED = { width: 72, height: 72 }
const PADDING = 6
const LINE = 16

/**
 * A treemap of two levels as SVG: regions, and places in them. Places too small for a finger are listed in a strip
 * below, which is never larger than the tiles.
 */
export function mapSvg(atlas: Atlas): string {
  const { title, width, height, regions, other, sizeOf } = atlas
  const whole = { x: 0, y: 0, width: width + GAP, height: height + GAP }
  const { boxes, strip } = fitting(regions, whole, other.weight > 0, GAP)
  const drawn = boxes.map((box, at) => drawnRegion(atlas, regions[at] as Region, withoutGap(box)))
  if (strip) {
    const weight = sum(regions.slice(boxes.length)) + other.weight
    drawn.push(tile({ ...other, size: sizeOf(weight) }, withoutGap(strip), 'none'))
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

const sum = (places: readonly MapPlace[]) => places.reduce((total, { weight }) => total + weight, 0)

/** As many tiles as are large enough with this gap beside them, above a strip for the rest. */
function fitting(items: readonly MapPlace[], box: Box, hasRest: boolean, gap = 0) {
  const least = { width: MIN.width + gap, height: MIN.height + gap }
  const weights = items.map(({ weight }) => weight)
  for (let shown = weights.length; shown > 0; shown--) {
    const isCut = hasRest || shown < weights.length
    const inner = isCut ? { ...box, height: box.height - least.height } : box
    const boxes = treemap(weights.slice(0, shown), inner)
    const fits = ({ width, height }: Box) => width >= least.width && height >= least.height
    if (!boxes.every(fits)) continue
    return { boxes, strip: isCut ? { ...box, y: inner.y + inner.height, height: least.height } : null }
  }
  return { boxes: [], strip: null }
}

function drawnRegion(atlas: Atlas, region: Region, box: Box): string {
  const { more, sizeOf } = atlas
  const { places, colour, heat: _, ...rest } = region
  const [only] = places
  if (only?.weight === region.weight) return tile(only, box, colour)
  const hasCaption = places.length > 0 && box.width >= CAPTIONED.width && box.height >= CAPTIONED.height
  const inner = { ...box, y: box.y + CAPTION, height: box.height - CAPTION }
  const { boxes, strip } = fitting(hasCaption ? places : [], inner, region.weight > sum(places))
  if (boxes.length === 0) return tile(region, box, colour)
  const size = sizeOf(region.weight - sum(places.slice(0, boxes.length)))
  return [
    caption(region, box),
    ...boxes.map((within, at) => tile(places[at] as MapPlace, within, colour)),
    strip ? tile({ ...rest, size }, strip, colour, more) : '',
  ].join('')
}

/** A link to a place, or to `more` of it: its name, and its size where there is room left. */
function tile({ name, size, href, heat }: MapPlace, box: Box, colour: Colour, more = ''): string {
  const { lines, isCut } = linesOf(more || name, box)
  const says = [size, ...(heat ? [heat.says] : [])].join(' \u00b7 ')
  return link({ name: more === '' ? name : `${name}: ${more}`, size: says, href }, [
    `<rect class="target t-${heat?.colour ?? colour}"${edges(box)} rx="3"/>`,
    ...lines.map((text, at) => line('place', text, box, at)),
    isCut || lines.length >= roomIn(box) || fitted(size, box).isCut
      ? ''
      : line('size', size, box, lines.length),
  ])
}

/** How many lines of text are high enough for a box. */
const roomIn = ({ height }: Box) => Math.floor((height - PADDING) / LINE)

const fitted = (text: string, { width }: Box) => fitText(text, width - 2 * PADDING, FONT.predicate)

/** A name in as many lines as it takes and the box has room for, broken between words; the last may be cut. */
function linesOf(name: string, box: Box): { lines: string[]; isCut: boolean } {
  const lines: string[] = []
  const words = name.split(' ')
  let isCut = false
  while (words.length > 0 && lines.length < roomIn(box)) {
    let taken = lines.length === roomIn(box) - 1 ? words.length : 1
    while (taken < words.length && !fitted(words.slice(0, taken + 1).join(' '), box).isCut) taken++
    const last = fitted(words.splice(0, taken).join(' '), box)
    isCut ||= last.isCut
    lines.push(last.text)
  }
  return { lines, isCut }
}

function caption(region: Region, box: Box): string {
  const own = { ...box, height: CAPTION }
  const text = line('region', fitted(region.name, own).text, own, 0)
  return link(region, [`<rect class="target caption"${edges(own)}/>`, text])
}

const link = ({ name, size, href }: Omit<MapPlace, 'weight'>, drawn: string[]) =>
  `<a href="${escaped(href)}"><title>${isolated(name)} \u00b7 ${escaped(size)}</title>${drawn.join('')}</a>`

/** A line of text in a box, the first of them at its top. */
function line(kind: string, text: string, { x, y }: Box, at: number): string {
  const middle = y + PADDING + (at + 0.5) * LINE
  return `<text class="${kind}" x="${round(x + PADDING)}" y="${round(middle)}" dy=".35em">${isolated(text)}</text>`
}

const edges = ({ x, y, width, height }: Box) =>
  ` x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`
