import t from 'tap'
import type { Grant } from '../../../domain/oauth/connections/access.js'
import type { ConnectionChoice } from '../../../domain/oauth/connections/choice.js'
import { narrowed } from '../../../domain/oauth/connections/narrow.js'

const READ = 'vault:read'
const WRITE = 'vault:write'
const grant: Grant = {
  accountId: 'ann',
  clientId: 'client',
  scope: [READ, WRITE],
  resource: 'user',
  resourceSent: true,
  chosenSafeIds: [],
  onlyChosenSafe: false,
}
const all: ConnectionChoice = { safeIds: [], only: false, scope: [READ, WRITE] }
const limited: Grant = { ...grant, chosenSafeIds: ['a', 'b', 'c'], onlyChosenSafe: true }
const badChoice = { status: 400, code: 'bad_choice' }

t.test('a connection to all Safes can be limited to some', async t => {
  t.strictSame(narrowed(grant, all), grant, 'a choice that keeps everything changes nothing')
  const toTwo = { ...grant, chosenSafeIds: ['a', 'b'], onlyChosenSafe: true }
  t.strictSame(narrowed(grant, { ...all, safeIds: ['a', 'b'], only: true }), toTwo)
  t.strictSame(narrowed(grant, { ...all, safeIds: ['a', 'b', 'a'] }), toTwo, 'several are a limit')
  const started = { ...grant, chosenSafeIds: ['a'] }
  t.strictSame(narrowed(started, { ...all, safeIds: ['a'] }), started, 'one without the limit is none')
  t.throws(() => narrowed(grant, { ...all, only: true }), badChoice)
})

t.test('a limited connection keeps those of its Safes that stay ticked, and gets no other', async t => {
  const keep = (safeIds: string[], only = true) => narrowed(limited, { ...all, safeIds, only }).chosenSafeIds
  t.strictSame(keep(['c', 'a']), ['a', 'c'])
  t.strictSame(keep(['b', 'x', 'y']), ['b'])
  t.strictSame(keep(['b', 'a'], false), ['a', 'b'])
  for (const safeIds of [[], ['x']]) t.throws(() => narrowed(limited, { ...all, safeIds }), badChoice)
  t.match(narrowed(limited, { ...all, safeIds: ['a', 'b'] }), { onlyChosenSafe: true }, 'the limit stays')
})

t.test('the Safe of a connection to a single one cannot be changed', async t => {
  const pinned: Grant = { ...grant, resource: 'safe:a', chosenSafeIds: ['a'] }
  const single: Grant = { ...limited, chosenSafeIds: ['a'] }
  for (const before of [pinned, single])
    for (const safeIds of [[], ['b'], ['a', 'b']])
      t.strictSame(narrowed(before, { ...all, safeIds, only: true }), before)
})

t.test('scopes can be withdrawn, never added, and reading stays', async t => {
  const without = narrowed(grant, { ...all, scope: [] })
  t.strictSame(without, { ...grant, scope: [READ], withdrawnScope: [WRITE] })
  t.strictSame(narrowed(without, all), without, 'ticked again, it does not come back')
  const never: Grant = { ...grant, scope: [READ] }
  t.strictSame(narrowed(never, all), never)
  t.throws(() => narrowed({ ...grant, scope: [WRITE] }, { ...all, scope: [READ] }), badChoice)
})
