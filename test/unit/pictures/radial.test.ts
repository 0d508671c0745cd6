import fc from 'fast-check'
import t from 'tap'
import { MAX_NEIGHBOURS, radial } from '../../../engine/pictures/radial.js'
import type { PictureNeighbour } from '../../../engine/pictures/sides.js'
import { svg } from '../../../engine/pictures/svg.js'
import { words } from '../../words.js'
import { outside, overlaps } from './boxes.js'
import { names } from './names.js'

const name = fc.oneof(fc.constantFrom(...names), fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }))
const neighbour: fc.Arbitrary<PictureNeighbour> = fc.record({
  name,
  type: fc.option(
    fc.constantFrom('person', 'project', 'a type with quite a long name of its own', '場所', 'x'),
  ),
  predicate: fc.oneof(fc.constantFrom('leads', 'works for', 'mentions'), name),
  direction: fc.constantFrom('out' as const, 'in' as const),
  href: fc.constant('/safes/1/things/x'),
})
const neighbours = fc.array(neighbour, { minLength: 1, maxLength: 60 })
const thing = fc.record({ name, type: fc.constantFrom('person', null) })

const one = (count: number, predicateOf = (_: number) => 'knows'): PictureNeighbour[] =>
  Array.from({ length: count }, (_, at) => ({
    name: names[at % names.length]!,
    type: null,
    predicate: predicateOf(at),
    direction: 'out',
  }))

t.test('no two labels overlap, whatever the names, types and predicates are', async t => {
  fc.assert(
    fc.property(thing, neighbours, fc.nat(1_000_000), (centre, neighbours, others) => {
      const picture = radial({ centre, neighbours, others })
      t.strictSame(overlaps(picture), [])
      t.strictSame(outside(picture), [])
    }),
    { numRuns: 300 },
  )
})

/** Some neighbours of the thing in the middle, each with as many of its own as `around` has. */
const wider = (first: PictureNeighbour[], around: PictureNeighbour[]): PictureNeighbour[] => [
  ...first,
  ...around.map((neighbour, at) => ({ ...neighbour, of: at % first.length })),
]

t.test('no two labels overlap in two rings of up to 150 things, whatever they are', async t => {
  const around = fc.array(neighbour, { maxLength: 110 })
  fc.assert(
    fc.property(thing, neighbours, around, (centre, first, around) => {
      const picture = radial({ centre, neighbours: wider(first, around), others: 7 })
      t.strictSame(overlaps(picture), [])
      t.strictSame(outside(picture), [])
    }),
    { numRuns: 100 },
  )
  const centre = { name: 'Skerry Light', type: 'lighthouse' }
  // The neighbours of one neighbour near the axis reach past the thing in the middle.
  const crowded = radial({
    centre: { name: names.join(' '), type: null },
    neighbours: wider(one(2), one(40)),
  })
  t.strictSame(overlaps(crowded), [])
  for (let count = 1; count <= MAX_NEIGHBOURS; count++) {
    const picture = radial({
      centre,
      neighbours: wider(
        one(count),
        one(149 - count, at => `p${at % 7}`),
      ),
    })
    t.strictSame(overlaps(picture), [], `${count} neighbours`)
    t.equal(picture.labels.filter(({ kind }) => kind === 'name').length, 149)
  }
})

t.test('the second ring stands below its neighbours, further out, each connected with its own', async t => {
  const neighbours = wider(one(4), one(10))
  const { labels, dots, lines } = radial({ centre: { name: 'Ada', type: null }, neighbours })
  const spots = new Map(dots.map(({ of, x, y }) => [of, { x, y }]))
  t.equal(spots.size, 14)
  const twigs = lines.filter(({ kind }) => kind === 'twig')
  t.equal(twigs.length, 10)
  t.equal(lines.filter(({ kind }) => kind === 'spoke').length, 4)
  for (const { of } of twigs) {
    const [from, to] = of!.map(number => spots.get(number)!)
    t.ok(to!.y > from!.y)
    t.ok(Math.abs(to!.x - 380) >= Math.abs(from!.x - 380) + 24)
  }
  const numbers = labels.flatMap(({ of }) => of ?? [])
  t.strictSame(
    numbers,
    [...numbers.keys()].map(at => at + 1),
    'numbered as they are drawn',
  )
})

t.test('relations of the second ring are lines of their own kind, which wait for their names', async t => {
  const neighbours = wider(one(2), one(2))
  const chords = [
    [0, 1],
    [0, 3],
  ] as const
  const { lines } = radial({ centre: { name: 'Ada', type: null }, neighbours, chords })
  t.strictSame(
    lines.filter(({ kind }) => kind === 'chord' || kind === 'far').map(({ kind }) => kind),
    ['chord', 'far'],
  )
})

t.test('the neighbours of those that are not drawn are not drawn either', async t => {
  const neighbours = [
    ...one(41),
    { ...one(1)[0]!, name: 'lost', of: 40 },
    { ...one(1)[0]!, name: 'found', of: 0 },
  ]
  const { labels } = radial({ centre: { name: 'Ada', type: null }, neighbours })
  const texts = labels.map(({ text }) => text)
  t.ok(texts.includes('found'))
  t.notOk(texts.includes('lost'))
  t.ok(texts.includes('+ 1 more'))
})

t.test('the picture is the same in whatever order the neighbours come', async t => {
  fc.assert(
    fc.property(
      fc.uniqueArray(neighbour, {
        maxLength: MAX_NEIGHBOURS,
        selector: ({ name, predicate }) => `${name} ${predicate}`,
      }),
      fc.nat(),
      (neighbours, seed) => {
        const centre = { name: 'Ada', type: null }
        const shuffled = neighbours
          .map((value, at) => ({ value, order: (at * 7919 + seed) % 101 }))
          .sort((a, b) => a.order - b.order)
          .map(({ value }) => value)
        t.equal(svg(radial({ centre, neighbours: shuffled })), svg(radial({ centre, neighbours })))
      },
    ),
    { numRuns: 100 },
  )
})

t.test('each predicate is written once a group, and those of incoming relations with an arrow', async t => {
  const both = one(12).map(
    (item, at): PictureNeighbour => ({ ...item, direction: at % 2 === 0 ? 'out' : 'in' }),
  )
  const { labels } = radial({ centre: { name: 'Ada', type: null }, neighbours: both })
  const predicates = labels.filter(({ kind }) => kind === 'predicate').map(({ text }) => text)
  t.strictSame(predicates.sort(), ['knows', '← knows'])
  t.equal(labels.filter(({ kind }) => kind === 'name').length, 12)
})

t.test('40 neighbours are drawn, and the others counted with a link to their list', async t => {
  const neighbours = one(43)
  const { labels } = radial({
    centre: { name: 'Ada', type: null },
    neighbours,
    others: 1200,
    othersHref: '#all',
  })
  t.equal(labels.filter(({ kind }) => kind === 'name').length, 40)
  const more = labels.filter(({ kind }) => kind === 'more')
  t.match(more, [{ text: '+ 1,203 more', href: '#all' }])
  t.equal(more.length, 1)
})

t.test('chords connect neighbours that are drawn', async t => {
  const chords = [
    [0, 1],
    [2, 2],
    [1, 41],
  ] as const
  const { lines } = radial({ centre: { name: 'Ada', type: null }, neighbours: one(42), chords })
  t.equal(lines.filter(({ kind }) => kind === 'chord').length, 1)
  t.equal(lines.filter(({ kind }) => kind === 'spoke').length, 40)
})

t.test('the most frequent types have colours, which a legend names', async t => {
  const neighbours = one(20).map((item, at) => ({ ...item, type: `type ${at < 10 ? 0 : at}` }))
  const { labels, dots } = radial({ centre: { name: 'Ada', type: 'type 0' }, neighbours })
  const legend = labels.filter(({ kind }) => kind === 'legend').map(({ text }) => text)
  t.equal(legend.length, 11)
  t.equal(legend[0], 'type 0')
  const first = dots.find((dot, at) => dots.findIndex(({ colour }) => colour === dot.colour) < at)
  t.equal(dots.filter(({ colour }) => colour === first?.colour).length, 11)
  t.equal(new Set(dots.map(({ colour }) => colour)).size, 11)
  const others = [{ ...neighbours[0]!, type: 'another' }]
  const other = radial({ centre: { name: 'Bo', type: 'type 0' }, neighbours: [...others, neighbours[0]!] })
  t.ok(
    other.dots.some(({ colour }) => colour === first?.colour),
    'the same in another picture',
  )
})

t.test('every name is a link to its thing', async t => {
  const neighbours = one(5).map((item, at) => ({ ...item, href: `/safes/1/things/${at}` }))
  const drawn = svg(radial({ centre: { name: 'Ada', type: null }, neighbours }))
  t.equal(drawn.match(/<a href="\/safes\/1\/things\/\d" data-n="\d">/g)?.length, 5)
})

t.test('S3 names from files are text in a picture, never markup', async t => {
  const picture = radial({
    centre: { name: '<script>alert(1)</script>', type: '"><b>' },
    neighbours: names.map(name => ({
      name,
      type: name,
      predicate: name,
      direction: 'in',
      href: `/x?${name}`,
    })),
  })
  const drawn = svg(picture)
  const tags = new Set(drawn.match(/<[^\s>]*/g))
  t.strictSame(
    [...tags].sort(),
    words(`
    </a </g </svg </text </title <a <circle <g <path <rect <svg <text <title
  `),
  )
  const inTags =
    drawn
      .replaceAll(/"[^"]*"/g, '""')
      .match(/<[^>]*>/g)
      ?.join('') ?? ''
  const attributes = new Set(inTags.match(/\s[a-z-]+=/g))
  for (const attribute of attributes) t.notMatch(attribute, /^\s(on|style)/)
  t.ok(attributes.has(' href='))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  t.notMatch(drawn, /[\u0000-\u0008\ud800\u202e]/)
})

t.test('a picture is as wide as its names need', async t => {
  const centre = { name: 'Ada', type: 'person' }
  const widthOf = (name: string) =>
    radial({ centre, neighbours: one(4).map(neighbour => ({ ...neighbour, name })) }).width
  t.ok(widthOf('Bo') < 450, `${widthOf('Bo')}`)
  t.ok(widthOf('A name of some length') > widthOf('Bo') + 200)
  t.ok(widthOf('x'.repeat(300)) <= 760)
})
