import t from 'tap'
import { StatedNames } from '../../../domain/safes/imports/stated-names.js'
import { normalizeName } from '../../../engine/graph/text/text.js'

const mergedOf = (names: readonly string[]) => {
  const stated = new StatedNames()
  for (const name of names) stated.thing(normalizeName(name), name)
  return stated.merged
}

t.test('names that differ in case, accents or form are counted once, with three examples', async t => {
  const pair = ['Recipe', 'recipe']
  const long = 'x'.repeat(101)
  const cases: [string[], number, string[][]][] = [
    [[...pair, 'RECIPE', 'recipe', 'Recipe'], 1, [pair]],
    [
      ['José', 'Jose', '①', '1'],
      2,
      [
        ['José', 'Jose'],
        ['①', '1'],
      ],
    ],
    [
      [...'aAbBcCdD'],
      4,
      [
        ['a', 'A'],
        ['b', 'B'],
        ['c', 'C'],
      ],
    ],
    [['Ada', 'Ada', 'Bo', 'Ada'], 0, []],
    [['Ada King', ' Ada  King', 'Ada\u200b King', 'José', 'Jose\u0301'], 0, []],
    [[long, long.toUpperCase()], 1, [[`${'x'.repeat(100)}…`, `${'X'.repeat(100)}…`]]],
  ]
  for (const [names, count, examples] of cases)
    t.strictSame(mergedOf(names), { count, examples }, names.join(' '))
})
