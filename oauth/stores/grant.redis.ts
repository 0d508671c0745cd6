import { Unavailable } from '../../common/unavailable.js'
import type { RedisClient } from '../../storage/redis/client.js'
import { createCommandDeadline } from '../../storage/redis/command-deadline.js'
import { createFailoverReplay } from '../../storage/redis/failover-replay.js'
import { startingSafe } from '../connections/access.js'
import { OPEN_SESSION, REDEEM, REPLACE_GRANT, ROTATE, SELECT } from './grant-scripts.js'
import { readGrant, writeGrant } from './stored-grant.js'
import {
  type GrantStore,
  RACE_WINDOW_MS,
  type RedeemOutcome,
  type RotateOutcome,
  SESSIONS_PER_CONNECTION,
} from './types.js'

/** How long the keys of an unredeemed code outlive it. */
const SLACK_MS = 60_000

type RedisScript = (...keysAndArguments: (string | number)[]) => Promise<string[]>
interface Scripts {
  oauthRedeem: RedisScript
  oauthRotate: RedisScript
  oauthSelect: RedisScript
  oauthOpenSession: RedisScript
  oauthReplaceGrant(...keysAndArguments: string[]): Promise<'ended' | 'changed' | 'replaced'>
}

/** The keys of one connection. The braces are a hash tag: Redis Cluster keeps all of them on one node. */
const keysOf = (connectionId: string) => {
  const prefix = `oauth:{${connectionId}}:`
  return {
    grant: `${prefix}facts`,
    state: `${prefix}state`,
    selection: `${prefix}selection`,
    grace: `${prefix}grace`,
    access: (hash: string) => `${prefix}access:${hash}`,
    session: (hash: string) => `${prefix}session:${hash}`,
    sessions: `${prefix}sessions`,
  }
}

function rejectLate(outcome: string | undefined): void {
  if (outcome === 'late') throw new Unavailable('Redis started the command after its deadline')
}

/**
 * Values: the grant is JSON; an access token is `<expiry> <scope …>`; a session is `<expiry> <version>
 * <selected Safe or empty>`; state is a hash with the code and the refresh token; sessions is a sorted set of
 * session hashes by expiry. Whether something has expired depends on the caller's clock; the TTL only cleans
 * up.
 */
export function redisGrantStore(redis: RedisClient): GrantStore {
  redis.defineCommand('oauthRedeem', { numberOfKeys: 4, lua: REDEEM })
  redis.defineCommand('oauthRotate', { numberOfKeys: 5, lua: ROTATE })
  redis.defineCommand('oauthSelect', { numberOfKeys: 4, lua: SELECT })
  redis.defineCommand('oauthReplaceGrant', { numberOfKeys: 1, lua: REPLACE_GRANT })
  redis.defineCommand('oauthOpenSession', { numberOfKeys: 2, lua: OPEN_SESSION })
  const scripts = redis as unknown as Scripts
  const startBy = createCommandDeadline(redis)
  const remember = createFailoverReplay(redis)
  const end = (connectionId: string) => {
    const keys = keysOf(connectionId)
    return redis.del(keys.grant, keys.state, keys.selection, keys.grace)
  }

  return {
    async beginWithCode(connectionId, grant, code, now) {
      const keys = keysOf(connectionId)
      const life = code.expiresAt - now + SLACK_MS
      const state = {
        code_hash: code.hash,
        challenge: code.challenge,
        redirect_uri: code.redirectUri,
        expires_at: code.expiresAt,
      }
      const steps = redis.multi()
      steps.set(keys.grant, writeGrant(grant), 'PX', life)
      steps.hset(keys.state, state).pexpire(keys.state, life)
      const start = startingSafe(grant)
      if (start) steps.set(keys.selection, start, 'PX', life)
      await steps.exec()
    },

    async beginWithToken(connectionId, grant, access, now) {
      const keys = keysOf(connectionId)
      const life = access.expiresAt - now
      const steps = redis.multi()
      steps.set(keys.grant, writeGrant(grant), 'PX', life)
      steps.hset(keys.state, { expires_at: access.expiresAt }).pexpire(keys.state, life)
      steps.set(keys.access(access.hash), `${access.expiresAt} ${grant.scope.join(' ')}`, 'PX', life)
      const start = startingSafe(grant)
      if (start) steps.set(keys.selection, start, 'PX', life)
      await steps.exec()
    },

    async redeem({ connectionId, now, access, refresh, ...attempt }) {
      const keys = keysOf(connectionId)
      const step = () =>
        scripts.oauthRedeem(
          ...[keys.grant, keys.state, keys.selection, keys.access(access.hash)],
          ...[attempt.codeHash, attempt.clientId, attempt.redirectUri, attempt.challenge],
          ...[attempt.resource ?? '', now, RACE_WINDOW_MS, access.expiresAt, access.expiresAt - now],
          ...[refresh.hash, refresh.expiresAt, refresh.expiresAt - now, startBy()],
        )
      const [outcome, grant] = await step()
      rejectLate(outcome)
      if (outcome === 'redeemed') remember(step)
      if (outcome === 'replayed') remember(() => end(connectionId))
      return { outcome, ...(grant && { grant: readGrant(grant) }) } as RedeemOutcome
    },

    async rotate({ connectionId, presented, now, access, refresh, ...attempt }) {
      const keys = keysOf(connectionId)
      const step = () =>
        scripts.oauthRotate(
          ...[keys.grant, keys.state, keys.selection, keys.access(access.hash), keys.grace],
          ...[presented.hash, presented.generation, attempt.clientId, attempt.resource ?? ''],
          ...[attempt.scope?.join(' ') ?? '', now, RACE_WINDOW_MS, access.expiresAt, access.expiresAt - now],
          ...[refresh.hash, refresh.expiresAt, refresh.expiresAt - now],
          ...[attempt.sealed ?? '', attempt.graceSeconds * 1000, startBy()],
        )
      const [outcome, grant, sealed] = await step()
      rejectLate(outcome)
      if (outcome === 'rotated') remember(step)
      if (outcome === 'reused') remember(() => end(connectionId))
      return {
        outcome,
        ...(grant && { grant: readGrant(grant) }),
        ...(sealed && { sealed }),
      } as RotateOutcome
    },

    async find(connectionId) {
      const grant = await redis.get(keysOf(connectionId).grant)
      return grant ? readGrant(grant) : null
    },

    async findActive(connectionIds, now) {
      const expiries = await Promise.all(connectionIds.map(id => redis.hget(keysOf(id).state, 'expires_at')))
      return new Set(connectionIds.filter((_, i) => Number(expiries[i]) > now))
    },

    async change(connectionId, change) {
      const key = keysOf(connectionId).grant
      for (;;) {
        const before = await redis.get(key)
        if (!before) return null
        const grant = change(readGrant(before))
        const step = () => scripts.oauthReplaceGrant(key, before, writeGrant(grant))
        const outcome = await step()
        if (outcome === 'ended') return null
        if (outcome === 'changed') continue
        remember(step)
        return grant
      }
    },

    async revoke(connectionId) {
      await end(connectionId)
      remember(() => end(connectionId))
    },

    async revokeAll(connectionIds) {
      await Promise.all(connectionIds.map(end))
      remember(() => Promise.all(connectionIds.map(end)))
    },

    async revokeAccessToken(connectionId, tokenHash) {
      const step = () => redis.del(keysOf(connectionId).access(tokenHash))
      await step()
      remember(step)
    },

    async findAccess(connectionId, tokenHash, sessionHash, now) {
      const keys = keysOf(connectionId)
      const wanted = [keys.grant, keys.access(tokenHash), keys.selection]
      if (sessionHash) wanted.push(keys.session(sessionHash))
      const [grant, access, selectedSafeId, session] = await redis.mget(wanted)
      if (!grant || !access) return null
      const [accessExpiry, ...tokenScope] = access.split(' ')
      if (Number(accessExpiry) <= now) return null
      const [sessionExpiry, protocolVersion, sessionSafeId] = session?.split(' ') ?? []
      return {
        grant: readGrant(grant),
        tokenScope,
        selectedSafeId: selectedSafeId ?? null,
        session:
          protocolVersion && Number(sessionExpiry) > now
            ? { protocolVersion, selectedSafeId: sessionSafeId || null }
            : null,
      }
    },

    async openSession(connectionId, session, now) {
      const keys = keysOf(connectionId)
      const { hash, expiresAt } = session
      await scripts.oauthOpenSession(
        ...[keys.session(hash), keys.sessions],
        ...[`${expiresAt} ${session.protocolVersion} ${session.selectedSafeId ?? ''}`, hash],
        ...[expiresAt, expiresAt - now, SESSIONS_PER_CONNECTION, keys.session('')],
      )
    },

    async endSession(connectionId, sessionHash) {
      const keys = keysOf(connectionId)
      await redis.multi().del(keys.session(sessionHash)).zrem(keys.sessions, sessionHash).exec()
    },

    async select(connectionId, safeId, session, now) {
      const keys = keysOf(connectionId)
      await scripts.oauthSelect(
        ...[keys.grant, keys.selection, session ? keys.session(session.hash) : keys.grant],
        ...[keys.sessions, safeId, session?.expiresAt ?? '', session ? session.expiresAt - now : 0],
        session?.hash ?? '',
      )
    },
  }
}
