import t from 'tap'
import type { Grant } from '../../../oauth/connections/access.js'
import { evaluateRedemption, evaluateRotation, type GrantRow } from '../../../oauth/stores/evaluate-grant.js'
import { RACE_WINDOW_MS, type Redemption, type Rotation } from '../../../oauth/stores/types.js'

const NOW = 1_000_000
const grant: Grant = {
  accountId: 'ann',
  clientId: 'client',
  scope: ['vault:read'],
  resource: 'user',
  resourceSent: true,
  chosenSafeIds: [],
  onlyChosenSafe: false,
}
const secret = { hash: 'new', expiresAt: NOW + 1 }

t.test('when a code can be redeemed, and why not', async t => {
  const row = {
    facts_json: JSON.stringify(grant),
    code_hash: 'code',
    code_json: JSON.stringify({ redirectUri: 'https://a.example/cb', challenge: 'challenge' }),
    code_used_at: null,
    code_expires_at: NOW + 1,
  } as GrantRow
  const attempt: Redemption = {
    connectionId: 'c',
    codeHash: 'code',
    clientId: 'client',
    redirectUri: 'https://a.example/cb',
    challenge: 'challenge',
    resource: null,
    now: NOW,
    access: secret,
    refresh: secret,
  }
  type Case = [Partial<GrantRow>, Partial<Redemption>, string | null]
  const usedAt = (at: number) => ({ code_used_at: at })
  const cases: Case[] = [
    [{}, {}, null],
    [{}, { resource: 'user' }, null],
    [{ code_hash: 'other' }, {}, 'unknown'],
    [{ code_json: null }, {}, 'unknown'],
    [{}, { clientId: 'other' }, 'other-client'],
    [{}, { challenge: 'other' }, 'wrong-verifier'],
    [usedAt(NOW), {}, 'used'],
    [usedAt(NOW - RACE_WINDOW_MS + 1), {}, 'used'],
    [usedAt(NOW - RACE_WINDOW_MS), {}, 'replayed'],
    [{ code_expires_at: NOW }, {}, 'expired'],
    [{}, { redirectUri: 'https://a.example/' }, 'wrong-redirect-uri'],
    [{}, { resource: 'safe:a' }, 'wrong-resource'],
    // Only who proves to be the client learns more, and can end the connection by a replay.
    [usedAt(0), { clientId: 'other' }, 'other-client'],
    [usedAt(0), { challenge: 'other' }, 'wrong-verifier'],
    [{ ...usedAt(0), code_expires_at: NOW }, {}, 'replayed'],
  ]
  for (const [state, changes, expected] of cases)
    t.equal(
      evaluateRedemption({ ...row, ...state }, { ...attempt, ...changes }),
      expected,
      JSON.stringify([state, changes]),
    )
})

t.test('when a refresh token can be rotated, and why not', async t => {
  const row = {
    refresh_hash: 'current',
    refresh_generation: 5,
    refresh_expires_at: NOW + 1,
    rotated_at: NOW,
    grace_pair: 'sealed',
  } as GrantRow
  const attempt: Rotation = {
    connectionId: 'c',
    presented: { hash: 'current', generation: 5 },
    clientId: 'client',
    resource: null,
    scope: null,
    now: NOW,
    access: secret,
    refresh: secret,
    sealed: null,
    graceSeconds: 60,
  }
  const previous = { presented: { hash: 'previous', generation: 4 } }
  const older = { presented: { hash: 'older', generation: 3 } }
  const rotated = (ago: number) => ({ rotated_at: NOW - ago })
  const repeated = { outcome: 'repeated', grant, sealed: 'sealed' }
  const cases: [Partial<GrantRow>, Partial<Rotation>, object | null][] = [
    [{}, {}, null],
    [{}, { resource: 'user', scope: ['vault:read'] }, null],
    [{}, { scope: [] }, null],
    [{ refresh_hash: null }, {}, { outcome: 'unknown' }],
    [{}, { clientId: 'other' }, { outcome: 'other-client' }],
    [{}, { presented: { hash: 'other', generation: 5 } }, { outcome: 'unknown' }],
    [{}, { presented: { hash: 'current', generation: 6 } }, { outcome: 'unknown' }],
    [{ refresh_expires_at: NOW }, {}, { outcome: 'expired' }],
    [{}, { resource: 'safe:a' }, { outcome: 'wrong-resource' }],
    [{}, { scope: ['vault:read', 'vault:write'] }, { outcome: 'wrong-scope' }],
    // The previous token: its answer again, for a while.
    [{}, previous, repeated],
    [rotated(59_999), previous, repeated],
    [rotated(60_000), previous, { outcome: 'reused' }],
    [{}, { ...previous, resource: 'safe:a' }, { outcome: 'wrong-resource' }],
    [{}, { ...previous, scope: ['vault:write'] }, { outcome: 'wrong-scope' }],
    [{ grace_pair: null }, previous, { outcome: 'raced' }],
    [{}, { ...previous, graceSeconds: 0 }, { outcome: 'raced' }],
    [{ grace_pair: null, ...rotated(RACE_WINDOW_MS - 1) }, previous, { outcome: 'raced' }],
    [{ grace_pair: null, ...rotated(RACE_WINDOW_MS) }, previous, { outcome: 'reused' }],
    // Any before that: a race at most.
    [{}, older, { outcome: 'raced' }],
    [rotated(RACE_WINDOW_MS), older, { outcome: 'reused' }],
    [rotated(RACE_WINDOW_MS), { ...older, clientId: 'other' }, { outcome: 'other-client' }],
  ]
  for (const [state, changes, expected] of cases)
    t.strictSame(
      evaluateRotation({ ...row, ...state }, grant, { ...attempt, ...changes }),
      expected,
      JSON.stringify([state, changes]),
    )
})
