// npm run docs -- change-cost: draws docs/images/change-cost.svg, processor time against size, from the first table of
// "What a change costs" in docs/benchmarks.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [640, 360, 70, 20, 150, 50]
const [NOTES, MS] = [
  [500, 20_000],
  [50, 10_000],
] as const
const COLORS = ['#b42318', '#175cd3']

const page = readFileSync(file('benchmarks.md'), 'utf8')
const table = /<!-- change-cost -->\n([\s\S]*?)\n<!-- end -->/.exec(page)?.[1]?.split('\n') ?? []
const [head = [], , ...rows] = table.map(line =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim()),
)
const numberIn = (cell = '') => Number(/[\d,]+/.exec(cell)?.[0].replaceAll(',', '') ?? Number.NaN)
/** The place of a value on a logarithmic scale, from 0 to 1. */
const share = (value: number, [from, to]: readonly [number, number]) =>
  Math.log(value / from) / Math.log(to / from)
const x = (notes: number) => LEFT + share(notes, NOTES) * (WIDTH - LEFT - RIGHT)
const y = (ms: number) => HEIGHT - BOTTOM - share(ms, MS) * (HEIGHT - TOP - BOTTOM)
const text = (at: [number, number], words: string, anchor = 'middle', color = '#475467') =>
  `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}" fill="${color}">${words}</text>`
const line = (from: [number, number], to: [number, number]) =>
  `<line x1="${from[0].toFixed(1)}" y1="${from[1].toFixed(1)}" x2="${to[0].toFixed(1)}" y2="${to[1].toFixed(1)}" stroke="#d0d5dd"/>`

const sizes = rows.map(row => numberIn(row[0]))
const parts = [100, 1_000, 10_000].flatMap(ms => [
  line([LEFT, y(ms)], [WIDTH - RIGHT, y(ms)]),
  text([LEFT - 8, y(ms) + 4], `${ms.toLocaleString('en')} ms`, 'end'),
])
for (const size of sizes)
  parts.push(
    line([x(size), TOP], [x(size), HEIGHT - BOTTOM]),
    text([x(size), HEIGHT - BOTTOM + 18], size.toLocaleString('en')),
  )
parts.push(text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8], 'notes of 3 kB'))
for (const [at, color] of COLORS.entries()) {
  const points = rows
    .map((row, row_) => [sizes[row_] ?? 0, numberIn(row[at + 1])] as const)
    .filter(([, ms]) => ms > 0)
    .map(([size, ms]) => [x(size), y(ms)] as [number, number])
  parts.push(
    `<polyline points="${points.map(point => point.map(one => one.toFixed(1)).join(',')).join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...points.map(
      ([cx, cy]) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3.5" fill="${color}"/>`,
    ),
  )
  const [lastX = 0, lastY = 0] = points.at(-1) ?? []
  parts.push(text([lastX + 10, lastY + 4], head[at + 1] ?? '', 'start', color))
}
writeFileSync(
  file('images/change-cost.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Processor time of one changed note against the number of notes">
<rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`,
)
