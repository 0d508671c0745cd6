import { type Colours, coloursOf, legend } from './legend.js'
import {
  type Dot,
  type Picture,
  type PictureLabel,
  type PictureLine,
  type PictureThing,
  ROW,
} from './picture.js'
import { fittedLabel } from './text-width.js'

/** A path: `steps[i]` leads from `things[i]` to `things[i + 1]`. */
export interface Chain {
  things: readonly PictureThing[]
  steps: readonly { predicate: string; direction: 'out' | 'in' }[]
  /** The colours of types, if they are chosen for more than this picture. */
  colours?: Colours
}

const WIDTH = 244
const LINE = 16
const TEXT = 34
const STEP = 34

/** A path from the top down, narrow enough for a telephone. */
export function pathChain({ things, steps, colours: ofAll }: Chain): Picture {
  const colours = coloursOf(things, ofAll)
  const labels: PictureLabel[] = []
  const lines: PictureLine[] = []
  const dots: Dot[] = []
  const rowOf = (at: number) => 8 + at * (ROW + STEP)
  for (const [at, { name, type, href }] of things.entries()) {
    const y = rowOf(at)
    labels.push(label('name', name, y, ROW, href))
    dots.push({ x: LINE, y: y + ROW / 2, radius: 6, colour: colours.get(type ?? '') ?? 'none' })
    const step = steps[at]
    if (!step || at + 1 >= things.length) continue
    const arrow = step.direction === 'out' ? '\u2193' : '\u2191'
    labels.push(label('predicate', `${arrow} ${step.predicate}`, y + ROW, STEP))
    lines.push({ kind: 'step', path: `M${LINE} ${y + ROW / 2}V${rowOf(at + 1) + ROW / 2}` })
  }
  const key = legend(colours, WIDTH, rowOf(things.length) - STEP + 10)
  return {
    title: [things[0], things.at(-1)].map(thing => thing?.name ?? '').join(' \u2192 '),
    left: 0,
    width: WIDTH,
    height: rowOf(things.length) - STEP + 10 + key.height + 6,
    lines,
    dots: [...dots, ...key.dots],
    labels: [...labels, ...key.labels],
  }
}

function label(
  kind: 'name' | 'predicate',
  text: string,
  y: number,
  height: number,
  href?: string,
): PictureLabel {
  return fittedLabel(kind, text, WIDTH - TEXT - 8, width => ({ x: TEXT, y, width, height }), { href })
}
