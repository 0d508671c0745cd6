import t from 'tap'
import { PARTS, type Part } from '../deep/parts.js'
import { chooseParts, endsInTime } from '../run/choose-parts.js'

const part = (name: string, minutes: number, ...rooms: string[]): Part => ({
  name,
  files: [],
  minutes,
  rooms,
})
const parts = [part('looks', 3, 'views/'), part('races', 4, 'domain/oauth/'), part('nodes', 8, 'package')]
const none = { looks: 0, races: 0, nodes: 0 }

const names = (changed: string[] | null, waited: Record<string, number>, minutes: number) => {
  const { run, left } = chooseParts(parts, changed, waited, minutes)
  return [run.map(({ name }) => name), left.map(({ name }) => name)]
}

t.test('CI runs the deep parts that a change calls for, then others while there is time', async t => {
  t.strictSame(names(['domain/oauth/token/token.ts'], none, 5), [['races'], ['looks', 'nodes']])
  t.strictSame(names(['domain/oauth/token/token.ts'], none, 7), [['races', 'looks'], ['nodes']])
  t.strictSame(names(['docs/api.md'], { looks: 1, races: 2, nodes: 3 }, 8), [['nodes'], ['races', 'looks']])
})

t.test('CI runs a part that waited for four runs first; one longer than its time, alone', async t => {
  t.strictSame(names(['views/home.eta'], { ...none, nodes: 4 }, 7), [['nodes'], ['looks', 'races']])
})

t.test('CI takes what is not known for everything: changes as well as earlier runs', async t => {
  t.strictSame(names(null, none, 100), [['looks', 'races', 'nodes'], []])
  t.strictSame(names([], {}, 7), [['looks', 'races'], ['nodes']])
})

t.test('whatever changes, eight runs of CI run every part', async t => {
  const waited = Object.fromEntries(PARTS.map(({ name }) => [name, 4]))
  const seen = new Set<string>()
  for (let round = 0; round < 8; round++) {
    const { run } = chooseParts(PARTS, ['views/home.eta'], waited, 12)
    for (const { name } of PARTS) waited[name] = (waited[name] ?? 0) + 1
    for (const { name } of run) {
      waited[name] = 0
      seen.add(name)
    }
  }
  t.strictSame([...seen].sort(), PARTS.map(({ name }) => name).sort())
})

t.test('CI leaves a part that would not end in time on a machine as slow as npm test was', async t => {
  const [looks] = parts
  for (const [elapsed, tests, ends] of [
    [15, 5, true],
    [15, 3, true],
    [16, 5, false],
    [12, 10, true],
    [12.5, 10, false],
  ] as const)
    t.equal(looks && endsInTime(looks, elapsed, tests), ends, `${elapsed} min, tests ${tests} min`)
})
