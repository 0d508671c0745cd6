import type { Box, Picture } from '../../../engine/pictures/picture.js'

/** The pairs of labels whose boxes overlap, for messages of failed tests. */
export function overlaps({ labels }: Picture): string[] {
  const found: string[] = []
  for (const [at, one] of labels.entries())
    for (const other of labels.slice(at + 1))
      if (overlap(one.box, other.box)) found.push(`${one.text} / ${other.text}`)
  return found
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The labels that are not inside the picture. */
export function outside({ labels, left, width, height }: Picture): string[] {
  return labels
    .filter(
      ({ box }) =>
        box.x < left || box.y < 0 || box.x + box.width > left + width || box.y + box.height > height,
    )
    .map(({ text }) => text)
}
