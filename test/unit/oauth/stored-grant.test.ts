import t from 'tap'
import type { Grant } from '../../../domain/oauth/connections/access.js'
import { allowedSafes, powersOf } from '../../../domain/oauth/connections/access.js'
import { readGrant, writeGrant } from '../../../domain/oauth/stores/grant-row.js'

const grant: Grant = {
  accountId: 'ann',
  clientId: 'client',
  scope: ['vault:read'],
  resource: 'user',
  resourceSent: true,
  chosenSafeIds: ['a', 'b'],
  onlyChosenSafe: true,
}

t.test('a grant is read as it was written', async t => {
  for (const chosenSafeIds of [[], ['a'], ['a', 'b']]) {
    const written = { ...grant, chosenSafeIds }
    t.strictSame(readGrant(writeGrant(written)), written)
  }
})

t.test('a grant of a version that knew one Safe means the same', async t => {
  const { chosenSafeIds: _, ...old } = grant
  const read = (chosenSafeId: string | null, onlyChosenSafe: boolean) =>
    readGrant(JSON.stringify({ ...old, chosenSafeId, onlyChosenSafe }))
  t.strictSame(read('a', true), { ...grant, chosenSafeIds: ['a'] })
  t.strictSame(read('a', false), { ...grant, chosenSafeIds: ['a'], onlyChosenSafe: false })
  t.strictSame(read(null, false), { ...grant, chosenSafeIds: [], onlyChosenSafe: false })
})

t.test('a process of such a version allows one Safe of several, never all', async t => {
  const { chosenSafeId, onlyChosenSafe } = JSON.parse(writeGrant(grant))
  t.strictSame({ chosenSafeId, onlyChosenSafe }, { chosenSafeId: 'a', onlyChosenSafe: true })
})

t.test('a limit to no Safe allows none', async t => {
  t.strictSame(allowedSafes({ ...grant, chosenSafeIds: [] }), [])
})

t.test('a grant for the address of one Safe allows that one, whatever was chosen (RULES C7)', async t => {
  for (const onlyChosenSafe of [true, false])
    t.strictSame(allowedSafes({ ...grant, resource: 'safe:s', onlyChosenSafe }), ['s'])
  t.equal(allowedSafes({ ...grant, onlyChosenSafe: false }), null)
})

t.test(
  'R6 an assistant may propose if its grant says so, or the scope of an earlier one; a program of the API never',
  t => {
    const powers = (changed: Partial<Grant>) => powersOf({ ...grant, ...changed }).mayPropose
    const scope = ['vault:read', 'vault:write']
    t.notOk(powers({}))
    t.ok(powers({ mayPropose: true }))
    t.ok(powers({ scope }))
    t.notOk(powers({ scope, mayPropose: false }))
    t.notOk(powers({ scope, resource: 'api' }))
    t.end()
  },
)
