import t from 'tap'
import { repeatedElements } from '../../../engine/formats/web/svg-size.js'

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
    '<style>@import "data:text/css,path{mask:url(%23a)}";</style>',
    '<link href="data:text/css;base64,YQ==" rel="stylesheet"/>',
    '<g id="a"/><style>*{fill:url(#a)}</style>',
    '<g id="a"><path class="b"/></g><style>g > .b:hover{fill:url(#a)}</style>',
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

t.test('references of style sheets are followed', async t => {
  const styled = (rule: (id: string, used: string) => string, levels = 9) => {
    const groups = Array.from({ length: levels }, (_, at) => {
      const users = `<path class="x u${at}" id="i${at}"/>`.repeat(10)
      return { rule: rule(`g${at}`, `u${at}`), group: `<pattern id="g${at + 1}">${users}</pattern>` }
    })
    const all = groups.map(({ rule }) => rule).join('\n')
    return `<pattern id="g0"><path/></pattern>${groups.map(({ group }) => group).join('')}<style>${all}</style><path id="i0"/>`
  }
  const ways: Record<string, (id: string, used: string) => string> = {
    'a class': (id, used) => `.${used}{fill:url(#${id})}`,
    'one of several selectors': (id, used) => `a, g .${used}.x , b{ stroke:red; fill : URL( "#${id}" ) red}`,
    'an id': (id, used) => `#${used.replace('u', 'i')}{mask:url(#${id})}`,
    'a rule in a rule': (id, used) => `@media all{.${used}{fill:url(#${id})}}`,
    escapes: (id, used) => `.${used}{fill:\\75 rl(#${id})}`,
    comments: (id, used) => `/* .z{ */ .${used}/**/{fill/**/:url(#${id})}`,
    CDATA: (id, used) => `<![CDATA[.${used}{fill:url(#${id})}]]>`,
  }
  for (const [way, rule] of Object.entries(ways)) {
    const size = repeated(styled(rule))
    t.ok(size > 1_000_000, `${way}: ${size}`)
  }
  t.equal(
    repeated(
      '<style>.a{fill:url(#l)}@font-face{src:url(data:font/woff2;base64,aaaa#b)}</style><linearGradient id="l"><stop/></linearGradient><path class="a"/><path class="a b"/>',
    ),
    4,
    'a gradient of two paths',
  )
})

t.test('drawings in a drawing count', async t => {
  const inner = (inside: string) => svg(inside).toString('base64')
  const image = (data: string, kind = ';base64') => `<image href="data:image/svg+xml${kind},${data}"/>`
  t.equal(repeated(image(inner('<path/>'))), 3)
  t.equal(repeated(image(encodeURIComponent(svg('<path/>').toString()), ';charset=utf-8')), 3)
  t.equal(repeated(image(inner(nested(9, id => `<use href="#${id}"/>`)))) > 1_000_000_000, true)
  t.equal(repeated(image(inner('<g id="a"><use href="#a"/></g>'))), Number.POSITIVE_INFINITY)
  const deep = (depth: number): string => (depth === 0 ? '<path/>' : image(inner(deep(depth - 1))))
  t.equal(repeated(deep(9)), Number.POSITIVE_INFINITY, 'too deep')
})

t.test('a hundred thousand elements in each other are read', async t => {
  t.equal(repeated(`${'<g>'.repeat(100_000)}<use/>${'</g>'.repeat(100_000)}`), 0)
})
