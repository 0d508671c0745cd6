import t from 'tap'
import type { AuthorizationRequest } from '../../../domain/oauth/authorize/authorization-request.js'
import { grantFor } from '../../../domain/oauth/authorize/consent.js'
import { type ConnectionChoice, offeredScopes } from '../../../domain/oauth/connections/choice.js'

const READ = 'vault:read'
const WRITE = 'vault:write'

const request: AuthorizationRequest = {
  id: 'r',
  clientId: 'client',
  clientName: 'Client',
  clientVerified: false,
  redirectUri: 'https://a.example/cb',
  state: null,
  codeChallenge: 'x'.repeat(43),
  scope: [READ, WRITE],
  resource: 'user',
  resourceSent: true,
  expiresAt: 1,
}
const choice: ConnectionChoice = { safeIds: [], only: false, scope: [READ, WRITE] }
const pinned: Partial<AuthorizationRequest> = { resource: 'safe:mine' }

/** The grant for Ann, who can read the Safes `mine` and `ours` only. */
const grant = (chosen: Partial<ConnectionChoice>, asked: Partial<AuthorizationRequest> = {}) =>
  grantFor(
    { ...request, ...asked },
    'ann',
    { ...choice, ...chosen },
    async (accountId, ids) => accountId === 'ann' && ids.every(id => ['mine', 'ours'].includes(id)),
  )

t.test('a grant has what was asked for and chosen, and no more', async t => {
  const all = { accountId: 'ann', clientId: 'client', scope: [READ, WRITE], resourceSent: true }
  const open = { ...all, resource: 'user', chosenSafeIds: [], onlyChosenSafe: false }
  t.strictSame(await grant({}), open)
  t.strictSame(await grant({ safeIds: ['mine'] }), { ...open, chosenSafeIds: ['mine'] })
  t.strictSame(await grant({ safeIds: ['mine'], only: true }), {
    ...open,
    chosenSafeIds: ['mine'],
    onlyChosenSafe: true,
  })
  for (const only of [true, false])
    t.strictSame(
      await grant({ safeIds: ['mine', 'ours', 'mine'], only }),
      { ...open, chosenSafeIds: ['mine', 'ours'], onlyChosenSafe: true },
      'several are a limit (ADR 46)',
    )
  t.strictSame(await grant({}, { resourceSent: false }), { ...open, resourceSent: false })
})

t.test('of the scopes, reading is always granted, others if they were asked for and ticked', async t => {
  const scopes = async (ticked: string[], asked: string[]) =>
    (await grant({ scope: ticked }, { scope: asked })).scope
  t.strictSame(await scopes([], [READ, WRITE]), [READ])
  t.strictSame(await scopes([WRITE], [READ, WRITE]), [READ, WRITE])
  t.strictSame(await scopes([READ, WRITE], [READ]), [READ], 'not more than was asked for')
  t.strictSame(await scopes([WRITE], [WRITE]), [WRITE])
  await t.rejects(scopes([READ], [WRITE]), { status: 400, code: 'bad_choice' }, 'nothing is left')
})

t.test('the page offers reading ticked and fixed, everything else as the user ticked it', async t => {
  t.strictSame(offeredScopes([READ, WRITE]), [
    { name: READ, granted: true, required: true },
    { name: WRITE, granted: false, required: false },
  ])
  t.strictSame(offeredScopes([WRITE], [WRITE]), [{ name: WRITE, granted: true, required: false }])
})

t.test('a Safe that the account cannot read is not granted', async t => {
  await t.rejects(grant({ safeIds: ['foreign'] }), { status: 400, code: 'bad_choice' })
  await t.rejects(grant({}, { resource: 'safe:foreign' }), { status: 404, code: 'not_found' })
  await t.rejects(grant({ safeIds: ['mine', 'foreign'] }), { status: 400, code: 'bad_choice' })
  const many = Array.from({ length: 101 }, (_, i) => `safe ${i}`)
  await t.rejects(grant({ safeIds: many }), { status: 400, code: 'bad_choice', message: /at most 100/ })
  await t.rejects(grant({ only: true }), { status: 400, code: 'bad_choice' }, 'a limit to no Safe')
})

t.test('a request for one Safe is granted that Safe, whatever the form says', async t => {
  for (const chosen of [{}, { safeIds: ['foreign'] }, { only: true }, { safeIds: ['foreign'], only: true }])
    t.match(await grant(chosen, pinned), {
      resource: 'safe:mine',
      chosenSafeIds: ['mine'],
      onlyChosenSafe: false,
    })
})
