/** A drawing of boxes and lines, in pixels from the top and from a vertical line. */
export interface Picture {
  /** A description for people who cannot see it. */
  title: string
  /** Where it begins. */
  left: number
  width: number
  height: number
  lines: PictureLine[]
  dots: Dot[]
  labels: PictureLabel[]
}

export interface PictureLine {
  /**
   * `spoke`: from the middle to a neighbour; `twig`: from there to one of its own; `chord`: between neighbours; `far`:
   * a chord of the second ring; `arc`: along a group.
   */
  kind: 'spoke' | 'twig' | 'chord' | 'far' | 'arc' | 'step'
  /** An SVG path. */
  path: string
  /** The neighbours that it connects, by their numbers. */
  of?: readonly number[]
}

export interface Dot {
  x: number
  y: number
  radius: number
  colour: Colour
  /** The number of its neighbour, in the order in which they are drawn. */
  of?: number
}

/** A text in its box. No two boxes of a picture overlap. */
export interface PictureLabel {
  kind: 'centre' | 'name' | 'predicate' | 'more' | 'legend'
  box: Box
  /** The end of the box at which the text begins, or `middle`. */
  anchor: 'start' | 'middle' | 'end'
  text: string
  /** The whole text, if it is cut. */
  full?: string
  href?: string
  /** The number of its neighbour. */
  of?: number
  /** The explained colour, for a label of the legend. */
  colour?: Colour
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** One of twelve colours, given to the most frequent types; `none` for others and things without a type. */
export type Colour = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 'none'

/** A thing in a picture. */
export interface PictureThing {
  name: string
  type: string | null
  href?: string
}

/** A length in tenths of pixels. */
export const round = (value: number): number => Math.round(value * 10) / 10

/** Sizes of letters by the kind of their label. */
export const FONT = { name: 14, more: 14, predicate: 12, legend: 12, centre: 15 } as const
/** WCAG 2.2 AA asks for targets of at least 24 pixels (2.5.8). */
export const ROW = 26
/** Width of the dot before a text of the legend. */
export const SWATCH = 20
