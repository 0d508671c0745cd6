import {
  type Box,
  type Dot,
  type Picture,
  type PictureLabel,
  type PictureLine,
  round,
  SWATCH,
} from './picture.js'

/**
 * A picture as SVG text for a page. Classes carry the colours, so that one stylesheet serves light, dark and
 * print; there are no inline styles, which the CSP of the pages forbids. `data-n` has the numbers of neighbours and
 * `data-t` a colour, for `public/picture.js`.
 */
export function svg({ title, left, width, height, lines, dots, labels }: Picture): string {
  return [
    `<svg class="picture" viewBox="${left} 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${escaped(title)}">`,
    ...lines.map(line),
    ...labels.filter(({ kind }) => kind === 'centre').map(frame),
    ...dots.map(dot),
    ...labels.map(label),
    '</svg>',
  ].join('')
}

const line = ({ kind, path, of }: PictureLine) => `<path class="${kind}"${numbers(of)} d="${path}"/>`

const dot = ({ x, y, radius, colour, of }: Dot) =>
  `<circle class="t-${colour}"${numbers(of)} cx="${x}" cy="${y}" r="${radius}"/>`

const numbers = (of: number | readonly number[] = []) => {
  const list = [of].flat()
  return list.length === 0 ? '' : ` data-n="${list.join(' ')}"`
}

const frame = ({ box }: PictureLabel) => rect('centre', box, ' rx="10"')

const rect = (kind: string, { x, y, width, height }: Box, more = '') =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}"${more}/>`

function label({ kind, box, anchor, text, full, href, of, colour }: PictureLabel): string {
  const first = colour === undefined ? 0 : SWATCH
  const at = anchor === 'start' ? first : anchor === 'end' ? box.width : box.width / 2
  const [x, y] = [round(box.x + at), round(box.y + box.height / 2)]
  const start = anchor === 'start' ? '' : ` text-anchor="${anchor}"`
  const title = full === undefined ? '' : `<title>${escaped(full)}</title>`
  const written = `<text class="${kind}" x="${x}" y="${y}" dy=".35em"${start}>${title}${isolated(text)}</text>`
  // The box makes the whole row a target, not only the strokes of its letters.
  const target = rect('target', box) + written
  if (colour !== undefined) return `<g class="key" data-t="${colour}">${target}</g>`
  return href === undefined ? written : `<a href="${escaped(href)}"${numbers(of)}>${target}</a>`
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Text for SVG, from right to left in an isolate (UAX #9), so that an ellipsis or an arrow stays at its end. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${escaped(text)}\u2069` : escaped(text)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for SVG, without the control characters that XML forbids and those that turn text around. */
export function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[&<>"']/g, character => ENTITIES[character] ?? '')
}
