import { coloursOf } from './legend.js'
import { type Dot, type Picture, type PictureLabel, type PictureLine, ROW } from './picture.js'
import type { Neighbourhood } from './radial.js'
import { compare } from './sides.js'
import { fittedLabel } from './text-width.js'

/** Neighbours drawn. */
const MAX = 10
const WIDTH = 300
const LINE = 14
const TEXT = 30

/** A thing and its neighbours as rows below it, grouped by predicate: narrow enough for a margin. */
export function fan({ centre, neighbours, colours: ofAll }: Neighbourhood): Picture {
  const shown = neighbours
    .slice(0, MAX)
    .toSorted((a, b) => compare(a.predicate, b.predicate) || compare(a.direction, b.direction))
  const colours = coloursOf([centre, ...shown], ofAll)
  const labels: PictureLabel[] = [label('name', centre.name, TEXT, 4, centre.href)]
  const dots: Dot[] = [dot(4, colours.get(centre.type ?? ''), 7)]
  let [y, last] = [4 + ROW, '']
  for (const { name, type, href, predicate, direction } of shown) {
    const says = direction === 'out' ? `${predicate} \u2192` : `\u2190 ${predicate}`
    if (says !== last) {
      labels.push(label('predicate', says, TEXT, y))
      y += ROW - 4
      last = says
    }
    labels.push(label('name', name, TEXT, y, href))
    dots.push(dot(y, colours.get(type ?? ''), 5))
    y += ROW
  }
  const lines: PictureLine[] = [{ kind: 'spoke', path: `M${LINE} ${4 + ROW / 2}V${y - ROW / 2}` }]
  return { title: centre.name, left: 0, width: WIDTH, height: y + 4, lines, dots, labels }
}

const dot = (y: number, colour: Dot['colour'] | undefined, radius: number): Dot => ({
  x: LINE,
  y: y + ROW / 2,
  radius,
  colour: colour ?? 'none',
})

function label(kind: 'name' | 'predicate', text: string, x: number, y: number, href?: string): PictureLabel {
  const height = kind === 'name' ? ROW : ROW - 4
  const boxOf = (width: number) => ({ x, y, width: Math.max(width, ROW), height })
  return fittedLabel(kind, text, WIDTH - x - 4, boxOf, { href })
}
