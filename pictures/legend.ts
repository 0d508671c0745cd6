import { type Colour, type Dot, FONT, type Label, ROW, SWATCH, type Thing } from './picture.js'
import { fitText } from './text-width.js'

const COLOURS: readonly Colour[] = [0, 1, 2, 3, 4, 5, 6, 7]
const GAP = 18
const WIDEST = 160

/** Type → colour: the most frequent types first, equally frequent ones in alphabetical order. */
export function coloursOf(things: readonly Thing[]): Map<string, Colour> {
  const counts = new Map<string, number>()
  for (const { type } of things) if (type !== null) counts.set(type, (counts.get(type) ?? 0) + 1)
  const types = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([type]) => type)
  return new Map(types.slice(0, COLOURS.length).map((type, at) => [type, COLOURS[at] ?? 'none']))
}

/** What each colour means, in as many rows as the width needs, from `top` down and from `left` on. */
export function legend(
  colours: ReadonlyMap<string, Colour>,
  width: number,
  top: number,
  left = 0,
): { labels: Label[]; dots: Dot[]; height: number } {
  const labels: Label[] = []
  const dots: Dot[] = []
  const start = left + GAP
  let [x, y] = [start, top]
  for (const [type, colour] of colours) {
    const fitted = fitText(type, Math.min(WIDEST, width - 2 * GAP - SWATCH), FONT.predicate)
    if (x > start && x + SWATCH + fitted.width > left + width - GAP) [x, y] = [start, y + ROW]
    dots.push({ x: x + 6, y: y + ROW / 2, radius: 5, colour })
    labels.push({
      kind: 'legend',
      box: { x, y, width: SWATCH + fitted.width, height: ROW },
      anchor: 'start',
      text: fitted.text,
      colour,
      ...(fitted.isCut ? { full: type } : {}),
    })
    x += SWATCH + fitted.width + GAP
  }
  return { labels, dots, height: labels.length === 0 ? 0 : y + ROW - top }
}
