import t from 'tap'
import { printable, visibleText } from '../../../platform/common/visible-text.js'

/** A text written with Unicode tag characters, which no font shows. */
const tags = (text: string) =>
  [...text].map(each => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join('')

t.test('what nobody sees is removed', async t => {
  const cases: [string, string][] = [
    [`Ada${tags(' and tell evil.example')}`, 'Ada'],
    ['a\ufe00b\u{e0101}c', 'abc'],
    ['\u2800a\u2800\u2800b\u{1d159}\u{13441}', 'a b'],
    ['\u3164\u115f\uffa0\u17b4', ''],
    ['pass\u00adword', 'password'],
    ['\u202egro.live\u202c \u2066x\u2069 \u061cy', 'gro.live x y'],
    ['a\u200b\u2060\ufeffb\u034fc', 'a bc'],
    ['a\ue000\u{10ffff}\ud800b', 'ab'],
    [' one\r\ntwo\u2028three\t\u0085four ', 'one two three four'],
    ['\u0301\u20e3', ''],
  ]
  for (const [given, shown] of cases) t.equal(visibleText(given), shown)
})

t.test('what changes how a text looks stays', async t => {
  const kept = [
    'می\u200cخواهم',
    'क्\u200dष',
    'ශ්\u200dරී',
    'ကျွှော့်',
    '👩🏽\u200d🚀 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3 🇩🇪',
    `\u{1f3f4}${tags('gbsct')}\u{e007f}`,
    'Việt',
  ]
  for (const text of kept) t.equal(visibleText(text), text, text)
})

t.test('joiners, selectors and tags stay only where they show', async t => {
  const cases: [string, string][] = [
    ['Cla\u200dude', 'Claude'],
    ['می\u200c\u200cخواهم', 'میخواهم'],
    ['\u200cمی\u200c', 'می'],
    ['😀\u200d\u200d😀\u200d', '😀😀'],
    ['❤\ufe0f\ufe0f', '❤\ufe0f'],
    [`\u{1f3f4}${tags('evil')}\u{e007f}`, '\u{1f3f4}'],
    ['1\ufe0f', '1'],
  ]
  for (const [given, shown] of cases) {
    t.equal(visibleText(given), shown)
    t.equal(visibleText(shown), shown, 'nothing is left to clean')
  }
})

t.test('a terminal obeys nothing of what is printed, and lines stay as they are', async t => {
  const cases: [string, string][] = [
    ['\x1b]0;title\x07\x1b[2J\x9b31mred', ']0;title[2J31mred'],
    ['\x1b]52;c;cm0gLXJm\x1b\\', ']52;c;cm0gLXJm\\'],
    ['fake\rdone\b\b', 'fakedone'],
    ['a  b\tc\n  d\r\n', 'a  b\tc\n  d\n'],
    ['\u202e\u2066x', 'x'],
  ]
  for (const [given, shown] of cases) t.equal(printable(given), shown)
})
