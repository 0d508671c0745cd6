import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { StringsBuilder, stringAt } from '../../../engine/graph/collections/strings.js'
import { buildTrigrams, nearest } from '../../../engine/graph/index/trigrams.js'
import { Workspace } from '../../../engine/graph/index/workspace.js'

const workspace = new Workspace()

async function names(...all: string[]) {
  const builder = new StringsBuilder()
  for (const name of all) builder.add(name)
  const strings = builder.build()
  const trigrams = await buildTrigrams(strings, new Pause())
  return (text: string, likeness = 0.5, count = 3) =>
    nearest(workspace, trigrams, strings, text, likeness, count).map(
      ({ id, score }) => `${stringAt(strings, id)} ${score.toFixed(3)}`,
    )
}

t.test('likeness is Dice of the trigrams, with two blanks before and one behind (Dice 1945)', async t => {
  const near = await names('bergen', 'berlin', 'oslo')
  // "bergan" and "bergen" have 7 trigrams each: __b _be ber erg are common, rga gan an_ and rge gen en_ are not.
  t.strictSame(near('bergan'), [`bergen ${(8 / 14).toFixed(3)}`])
  t.strictSame(near('bergen'), ['bergen 1.000'])
  t.strictSame(near('berlin', 0.3), ['berlin 1.000', `bergen ${(6 / 14).toFixed(3)}`])
  t.strictSame(near('zzz'), [])
  t.strictSame(near(''), [])
})

t.test('the best few, the best first, none below the likeness asked for', async t => {
  const near = await names('lighthouse', 'lighthouses', 'light house', 'greenhouse', 'lightning')
  t.strictSame(
    near('lighthouse', 0.4, 2).map(line => line.replace(/ [\d.]+$/, '')),
    ['lighthouse', 'lighthouses'],
  )
  t.notMatch(near('lighthouse', 0.6, 9).join(), 'greenhouse')
})

t.test('a name with one typo is found among a hundred thousand', async t => {
  const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to va xe yo zan tor mil'.split(' ')
  const all = Array.from({ length: 100_000 }, (_, i) =>
    [i % 20, (i / 20) % 20, (i / 400) % 20, (i / 8_000) % 20].map(at => syllables[Math.floor(at)]).join(''),
  )
  const near = await names(...all, 'montgomery')
  t.match(near('montgomrey')[0], /^montgomery /)
})
