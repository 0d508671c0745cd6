import { type Colour, type Dot, type PictureLabel, type PictureThing, ROW, SWATCH } from './picture.js'
import { fittedLabel } from './text-width.js'

/** Type → colour. */
export type Colours = ReadonlyMap<string, Colour>

const COLOURS = 12
const GAP = 18
const WIDEST = 160

/**
 * Type → colour; `types` are sorted by frequency. The colour follows from the name of the type, so that it is the same
 * in every picture. If a more frequent type has it, the next free colour is used.
 */
export function coloursOfTypes(types: readonly string[]): Map<string, Colour> {
  const colours = new Map<string, Colour>()
  const taken = new Set<number>()
  for (const type of types.slice(0, COLOURS)) {
    let colour = hash(type) % COLOURS
    while (taken.has(colour)) colour = (colour + 1) % COLOURS
    taken.add(colour)
    colours.set(type, colour as Colour)
  }
  return colours
}

/** FNV-1a. */
function hash(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/** The colours of a picture: those of the whole Safe if they are known, otherwise those of its own types. */
export function coloursOf(things: readonly PictureThing[], ofAll?: Colours): Colours {
  const counts = new Map<string, number>()
  for (const { type } of things) if (type !== null) counts.set(type, (counts.get(type) ?? 0) + 1)
  const types = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([type]) => type)
  if (!ofAll) return coloursOfTypes(types)
  return new Map(types.flatMap(type => (ofAll.has(type) ? [[type, ofAll.get(type) ?? 'none']] : [])))
}

/** The meaning of each colour, in as many rows as the width needs, from `top` down and from `left` on. */
export function legend(
  colours: Colours,
  width: number,
  top: number,
  left = 0,
): { labels: PictureLabel[]; dots: Dot[]; height: number } {
  const labels: PictureLabel[] = []
  const dots: Dot[] = []
  const start = left + GAP
  let [x, y] = [start, top]
  for (const [type, colour] of colours) {
    const room = Math.min(WIDEST, width - 2 * GAP - SWATCH)
    const boxOf = (text: number) => {
      if (x > start && x + SWATCH + text > left + width - GAP) [x, y] = [start, y + ROW]
      return { x, y, width: SWATCH + text, height: ROW }
    }
    const label = fittedLabel('legend', type, room, boxOf, { colour })
    labels.push(label)
    dots.push({ x: x + 6, y: y + ROW / 2, radius: 5, colour })
    x += label.box.width + GAP
  }
  return { labels, dots, height: labels.length === 0 ? 0 : y + ROW - top }
}
