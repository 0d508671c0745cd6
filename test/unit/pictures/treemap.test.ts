import fc from 'fast-check'
import t from 'tap'
import { mapSvg } from '../../../engine/pictures/map.js'
import type { Box } from '../../../engine/pictures/picture.js'
import { treemap } from '../../../engine/pictures/treemap.js'

const WITHIN = { x: 10, y: 20, width: 700, height: 400 }
const weights = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 200 })
  .map(list => list.sort((one, other) => other - one))

const area = ({ width, height }: Box) => width * height
const common = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))
const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)

t.test('areas are in proportion to the weights, within the box, without overlaps', async t => {
  fc.assert(
    fc.property(weights, weights => {
      const boxes = treemap(weights, WITHIN)
      t.equal(boxes.length, weights.length)
      const unit = area(WITHIN) / sum(weights)
      for (const [at, box] of boxes.entries()) {
        t.ok(Math.abs(area(box) / (weights[at]! * unit) - 1) < 1e-6)
        t.ok(Math.abs(common(box, WITHIN) / area(box) - 1) < 1e-6, 'within')
        for (const next of boxes.slice(at + 1)) t.ok(common(box, next) < 1e-3, 'no overlap')
      }
    }),
    { numRuns: 30 },
  )
})

t.test('the example of the paper: 6, 6, 4, 3, 2, 2, 1 in 6 × 4 (Bruls, Huizing, van Wijk 2000)', async t => {
  const boxes = treemap([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 })
  t.same(boxes.slice(0, 2), [
    { x: 0, y: 0, width: 3, height: 2 },
    { x: 0, y: 2, width: 3, height: 2 },
  ])
  t.ok(boxes.every(({ width, height }) => Math.max(width / height, height / width) < 3))
})

t.test('nothing has no tiles', async t => t.same(treemap([], WITHIN), []))

t.test('on a map every tile is a link with its name and size, large enough for a short name', async t => {
  const place = (name: string, weight: number) => ({ name, weight, size: `${weight} B`, href: '/a?b=1&c=2' })
  const places = Array.from({ length: 90 }, (_, at) => place(`Note <${at}>`, 1 + (90 - at) ** 3))
  const weight = sum(places.map(({ weight }) => weight))
  const regions = [place('work', weight * 2), place('journal', weight), place('tiny', 1)]
  const svg = mapSvg({
    title: 'What is in it',
    width: 700,
    height: 400,
    regions: regions.map(region => ({ ...region, colour: 3, places })),
    other: place('Other', 5),
    more: 'More',
    sizeOf: weight => `${weight} B`,
  })
  const links = svg.match(/<a .*?<\/a>/g) ?? []
  t.ok(links.length > 12, String(links.length))
  t.ok(links.length <= 90 + 2 * regions.length)
  for (const link of links) {
    t.match(link, /^<a href="\/a\?b=1&amp;c=2"><title>[^<]+ · \d+ B<\/title>/)
    const [, width, height] = / width="([\d.]+)" height="([\d.]+)"/.exec(link) ?? []
    t.ok(Number(width) >= 64 && Number(height) >= 24, link)
  }
  t.notMatch(svg, '<title>tiny', 'too small for a tile')
  t.match(svg, '<title>Other · 6 B</title>', 'but counted')
  const strip = /<title>Other .*?height="([\d.]+)"/.exec(svg)?.[1]
  t.equal(Number(strip), 28, 'in a strip, however much it is')
  t.match(svg, '<title>work: More')
})
