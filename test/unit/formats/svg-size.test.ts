import t from 'tap'
import { repeatedElements } from '../../../formats/readers/svg-size.js'

const svg = (inside: string, before = '') =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`)
const repeated = (inside: string, before?: string) => repeatedElements(svg(inside, before))

/** Each of so many groups has the one before it ten times. */
const nested = (levels: number, use: (id: string) => string) =>
  `<g id="g0"><path d="M0 0"/></g>${Array.from(
    { length: levels },
    (_, at) => `<g id="g${at + 1}">${use(`g${at}`).repeat(10)}</g>`,
  ).join('')}`

t.test('what references repeat is counted', async t => {
  t.equal(repeated('<path/><path/>'), 0, 'it has none')
  t.equal(repeated('<g id="a"><path/><path/></g><use href="#a"/><use href="#missing"/>'), 3)
  t.equal(repeated('<g id="a"/><g id="a"><path/></g><use href="#a"/>'), 1, 'the first of an id is meant')
  t.equal(repeated('<!-- <use> --><![CDATA[<use]]><?a <use ?><path d="url(#a)"/>'), 0)
  t.equal(
    repeated('<use href="#a"/>', '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C" "a">'),
    0,
  )
})

t.test('references to references are counted, however they are written', async t => {
  const ways: Record<string, (id: string) => string> = {
    href: id => `<use href="#${id}"/>`,
    prefixes: id => `<s:use x:href='#${id}'></s:use>`,
    escapes: id => `<use href="&#x23;&#103;%3${id.slice(1)}"/>`,
    address: id => `<use href="drawing.svg\n#${id} "/>`,
    animation: id => `<use><set attributeName="href" to="#${id}"/></use>`,
    pattern: id => `<path fill="url( '#${id}' )"/>`,
    style: id => `<path style="fill:red;mask:URL(#${id})"/>`,
    comments: id => `<!--><a b='--><use href="#${id}"/><!-- ' -->`,
  }
  for (const [way, use] of Object.entries(ways)) {
    const size = repeated(nested(9, use))
    t.ok(size > 1_000_000_000 && size < 10_000_000_000, `${way}: ${size}`)
  }
})

t.test('what goes round in a circle, is no XML or holds another drawing is without bounds', async t => {
  for (const inside of [
    '<g id="a"><use href="#a"/></g>',
    '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    '<image href="data:image/svg+xml;base64,PHN2Zz4="/>',
    '<use href=#a />',
    '<use href="#a" a/>',
    '</svg></svg><use/>',
    '<use ',
    '<use/><!-- ',
    '<use/><!ELEMENT a>',
  ])
    t.equal(repeated(inside), Number.POSITIVE_INFINITY, inside)
  t.equal(repeated('<use/>', '<?xml version="1.0" encoding="iso-2022-jp"?>'), Number.POSITIVE_INFINITY)
})

t.test('a hundred thousand elements in each other are read', async t => {
  t.equal(repeated(`${'<g>'.repeat(100_000)}<use/>${'</g>'.repeat(100_000)}`), 0)
})
