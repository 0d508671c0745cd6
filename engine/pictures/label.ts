import { type Box, FONT, type Label } from './picture.js'
import { fitText } from './text-width.js'

/** Optional parts of a label. */
type More = { [Member in 'anchor' | 'href' | 'of' | 'colour']?: Label[Member] | undefined }

/** A label whose text is cut to `room`, in pixels. @param boxOf its box, by the width of its text */
export function fittedLabel(
  kind: Label['kind'],
  whole: string,
  room: number,
  boxOf: (width: number) => Box,
  { anchor = 'start', ...more }: More = {},
): Label {
  const { text, width, isCut } = fitText(whole, room, FONT[kind])
  const known = { full: isCut ? whole : undefined, ...more }
  return {
    ...{ kind, box: boxOf(width), anchor, text },
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  }
}
