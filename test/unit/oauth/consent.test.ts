import t from 'tap'
import type { AuthorizationRequest } from '../../../oauth/authorize/authorization-request.js'
import { type Choice, grantFor, offeredScopes } from '../../../oauth/authorize/consent.js'

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
const choice: Choice = { safeId: null, only: false, scope: [READ, WRITE] }
const pinned: Partial<AuthorizationRequest> = { resource: 'safe:mine' }

/** The grant for Ann, who can read the Safe `mine` only. */
const grant = (chosen: Partial<Choice>, asked: Partial<AuthorizationRequest> = {}) =>
  grantFor(
    { ...request, ...asked },
    'ann',
    { ...choice, ...chosen },
    async (accountId, safeId) => accountId === 'ann' && safeId === 'mine',
  )

t.test('a grant has what was asked for and chosen, and no more', async t => {
  const all = { accountId: 'ann', clientId: 'client', scope: [READ, WRITE], resourceSent: true }
  const open = { ...all, resource: 'user', chosenSafeId: null, onlyChosenSafe: false }
  t.strictSame(await grant({}), open)
  t.strictSame(await grant({ safeId: 'mine' }), { ...open, chosenSafeId: 'mine' })
  t.strictSame(await grant({ safeId: 'mine', only: true }), {
    ...open,
    chosenSafeId: 'mine',
    onlyChosenSafe: true,
  })
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
  await t.rejects(grant({ safeId: 'foreign' }), { status: 400, code: 'bad_choice' })
  await t.rejects(grant({}, { resource: 'safe:foreign' }), { status: 404, code: 'not_found' })
  await t.rejects(grant({ only: true }), { status: 400, code: 'bad_choice' }, 'a limit to no Safe')
})

t.test('a request for one Safe is granted that Safe, whatever the form says', async t => {
  for (const chosen of [{}, { safeId: 'foreign' }, { only: true }, { safeId: 'foreign', only: true }])
    t.match(await grant(chosen, pinned), {
      resource: 'safe:mine',
      chosenSafeId: 'mine',
      onlyChosenSafe: false,
    })
})
