import t, { type Test } from 'tap'
import { isBounded } from '../../../engine/formats/web/svg-guard.js'

const svg = (inside: string, before = '') =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`)

/** Each of so many groups has the one before it so often. */
const nested = (levels: number, use: (id: string) => string, times = 10) =>
  `<g id="g0"><path d="M0 0"/></g>${Array.from(
    { length: levels },
    (_, at) => `<g id="g${at + 1}">${use(`g${at}`).repeat(times)}</g>`,
  ).join('')}`

const check = (t: Test, isShown: boolean, cases: Record<string, string>) => {
  for (const [why, inside] of Object.entries(cases)) t.equal(isBounded(svg(inside)), isShown, why)
}

t.test('SVG: drawings whose elements are repeated once are shown, as programs write them', async t => {
  const use = (id: string) => `<use xlink:href="#${id}"/>`
  check(t, true, {
    'no references': '<path/><path/>',
    'glyphs of matplotlib': `<defs><style type="text/css">*{stroke-linejoin: round}</style><clipPath id="p"><rect/></clipPath></defs><g clip-path="url(#p)"><defs><path id="m"/></defs>${use('m').repeat(5_000)}</g>`,
    'glyphs of LaTeX': `<g id="page1"><defs><path id="a"/></defs>${use('a').repeat(20_000)}</g>`,
    'a mask of Cairo':
      '<filter id="f"><feColorMatrix/></filter><mask id="k"><g filter="url(#f)"><use href="#i"/></g></mask><image id="i" href="data:image/png;base64,aaaa"/><g mask="url(#k)"/>',
    'classes of Illustrator':
      '<style>.a{fill:url(#l)}.b,.c .d:hover{clip-path:url( "#k" )}@font-face{src:url(data:font/woff2;base64,aaaa#b)}</style><linearGradient id="l"><stop/></linearGradient><clipPath id="k"><rect class="e"/></clipPath><path class="a d"/>',
    'names of Inkscape': '<g inkscape:export="C:\\a" data-latex="\\frac" fill="url(#x)"/>',
    'a missing one': use('missing'),
    'the first of an id': `<g id="a"/>${nested(2, use)}<g id="a">${use('g2').repeat(2)}</g>${use('a')}`,
    'comments and CDATA': '<!-- <use> --><![CDATA[<use]]><?a <use ?><path d="url(#a)"/>',
    'a hundred thousand levels': `${'<g>'.repeat(100_000)}<use/>${'</g>'.repeat(100_000)}`,
  })
  t.equal(
    isBounded(
      svg('<use href="#a"/>', '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C" "a">'),
    ),
    true,
  )
})

t.test('SVG: what repeats too much is not shown, however it is written', async t => {
  const ways: Record<string, (id: string) => string> = {
    href: id => `<use href="#${id}"/>`,
    prefixes: id => `<s:use x:href='#${id}'></s:use>`,
    escapes: id => `<use href="&#x23;&#103;%3${id.slice(1)}"/>`,
    address: id => `<use href="drawing.svg\n#${id} "/>`,
    animation: id => `<use><set attributeName="href" to="#${id}"/></use>`,
    pattern: id => `<path fill="url( '#${id}' )"/>`,
    'a pattern of another': id => `<pattern href="#${id}"/><path fill="url(#none)"/>`,
    style: id => `<path style="fill:red;mask:URL(#${id})"/>`,
    comments: id => `<!--><a b='--><use href="#${id}"/><!-- ' -->`,
  }
  for (const [way, use] of Object.entries(ways)) {
    check(t, false, { [`${way}, nested`]: nested(9, use), [`${way}, often`]: nested(2, use, 400) })
    check(t, true, { [`${way}, seldom`]: nested(2, use) })
  }
  const styled = (rule: (id: string, used: string) => string, times: number) => {
    const groups = [0, 1, 2].map(at => ({
      rule: rule(`g${at}`, `u${at}`),
      group: `<pattern id="g${at + 1}">${`<path class="x u${at}"/>`.repeat(times)}</pattern>`,
    }))
    return `<pattern id="g0"><path/></pattern>${groups.map(({ group }) => group).join('')}<style>${groups.map(({ rule }) => rule).join('\n')}</style><path class="u2"/>`
  }
  const rules: Record<string, (id: string, used: string) => string> = {
    'a class': (id, used) => `.${used}{fill:url(#${id})}`,
    'one of several selectors': (id, used) =>
      `.a, g .${used}.x , .b{ stroke:red; fill : URL( "#${id}" ) red}`,
    'a rule in a rule': (id, used) => `@media all{.${used}{fill:url(#${id})}}`,
    'comments in a rule': (id, used) => `/* .z{ */ .${used}/**/{fill/**/:url(#${id})}`,
    CDATA: (id, used) => `<![CDATA[.${used}{fill:url(#${id})}]]>`,
  }
  for (const [way, rule] of Object.entries(rules)) {
    check(t, false, { [way]: styled(rule, 50) })
    check(t, true, { [`${way}, seldom`]: styled(rule, 2) })
  }
})

t.test('SVG: what is not analysed is not shown', async t => {
  check(t, false, {
    'a circle': '<g id="a"><use href="#a"/></g>',
    'a circle of two': '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    'an import': '<style>@import "data:text/css,path{mask:url(%23a)}";</style>',
    'a style sheet': '<link href="data:text/css;base64,YQ==" rel="stylesheet"/>',
    'a drawing': `<image href="data:image/svg+xml;base64,${svg('<path/>').toString('base64')}"/>`,
    'any element': '<g id="a"/><style>*{fill:url(#a)}</style>',
    'an element by its name': '<g id="a"/><style>.b > path{fill:url(#a)}</style>',
    'a variable': '<g id="a"/><style>.b{--a:url(#a)}</style>',
    'a rule before a rule': '<g id="a"/><style>.b{fill:url(#a);.c{fill:red}}</style>',
    'escapes of CSS': '<g id="a"/><style>.b{fill:\\75 rl(#a)}</style>',
    'escapes in an attribute': '<g id="a"/><path fill="\\75 rl(#a)"/>',
    'no quotes': '<use href=#a />',
    'no value': '<use href="#a" a/>',
    'ends without a beginning': '</svg></svg><use/>',
    'no end': '<use ',
    'an open comment': '<use/><!-- ',
    'a declaration': '<use/><!ELEMENT a>',
  })
  for (const before of ['<?xml version="1.0" encoding="iso-2022-jp"?>', '<?xml-stylesheet href="a"?>'])
    t.equal(isBounded(svg('<use/>', before)), false, before)
})
