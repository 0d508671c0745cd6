import { Unavailable } from '../../../platform/common/unavailable.js'
import { isCluster, type RedisClient } from '../../../platform/storage/redis/client.js'
import { commandDeadline } from '../../../platform/storage/redis/command-deadline.js'
import { createFailoverReplay } from '../../../platform/storage/redis/failover-replay.js'
import { type Grant, startingSafe } from '../connections/access.js'
import { readGrant, writeGrant } from './grant-row.js'
import { OPEN_SESSION, REDEEM, REPLACE_GRANT, ROTATE, SELECT, SETTLE } from './grant-scripts.js'
import {
  type FoundAccess,
  type GrantStore,
  type Issued,
  type NewCode,
  type NewSession,
  RACE_WINDOW_MS,
  type RedeemOutcome,
  type Redemption,
  type RotateOutcome,
  type Rotation,
  SESSIONS_PER_CONNECTION,
  type StoredSecret,
} from './types.js'

/** How long the keys of an unredeemed code outlive it. */
const SLACK_MS = 60_000

/** The suffix of a session whose client shows MCP Apps. */
const SHOWS_APPS = 'apps'

type RedisScript = (...keysAndArguments: (string | number)[]) => Promise<string[]>
interface Scripts {
  oauthRedeem: RedisScript
  oauthRotate: RedisScript
  oauthSettle: RedisScript
  oauthSelect: RedisScript
  oauthOpenSession: RedisScript
  oauthReplaceGrant(...keysAndArguments: string[]): Promise<'ended' | 'changed' | 'replaced'>
}

const stateKey = (connectionId: string) => `oauth:{${connectionId}}:state`

/** The keys of one connection. The braces are a hash tag: Redis Cluster keeps all of them on one node. */
const keysOf = (connectionId: string) => {
  const prefix = `oauth:{${connectionId}}:`
  return {
    grant: `${prefix}facts`,
    state: stateKey(connectionId),
    selection: `${prefix}selection`,
    access: (hash: string) => `${prefix}access:${hash}`,
    session: (hash: string) => `${prefix}session:${hash}`,
    sessions: `${prefix}sessions`,
  }
}

/** Reads the reply of a script that redeems a code or rotates a refresh token. */
function outcomeOf([outcome, grant, seed, issuedAt]: string[]) {
  rejectLate(outcome)
  const [first, ...scope] = seed?.split(' ') ?? []
  return {
    outcome,
    ...(grant && { grant: readGrant(grant) }),
    ...(first && { seed: first, scope, issuedAt: Number(issuedAt) }),
  }
}

function rejectLate(outcome: string | undefined): void {
  if (outcome === 'late') throw new Unavailable('Redis started the command after its deadline')
}

/**
 * Values: the grant is JSON; an access token is `<expiry> <scope …>`; a session is `<expiry> <version>
 * <selected Safe or empty>`; state is a hash with the code, the refresh token and, until its client has received it, how its pair
 * is derived; sessions is a sorted set of
 * session hashes by expiry. Whether something has expired depends on the caller's clock; the TTL only cleans
 * up.
 */
export class RedisGrantStore implements GrantStore {
  readonly #redis: RedisClient
  readonly #scripts: Scripts
  readonly #startBy: () => number
  readonly #remember: (step: () => Promise<unknown>) => void

  constructor(redis: RedisClient) {
    redis.defineCommand('oauthRedeem', { numberOfKeys: 4, lua: REDEEM })
    redis.defineCommand('oauthRotate', { numberOfKeys: 4, lua: ROTATE })
    redis.defineCommand('oauthSettle', { lua: SETTLE })
    redis.defineCommand('oauthSelect', { numberOfKeys: 4, lua: SELECT })
    redis.defineCommand('oauthReplaceGrant', { numberOfKeys: 1, lua: REPLACE_GRANT })
    redis.defineCommand('oauthOpenSession', { numberOfKeys: 2, lua: OPEN_SESSION })
    this.#redis = redis
    this.#scripts = redis as unknown as Scripts
    this.#startBy = commandDeadline(redis)
    this.#remember = createFailoverReplay(redis)
  }

  async beginWithCode(connectionId: string, grant: Grant, code: NewCode, now: number): Promise<void> {
    const state = {
      code_hash: code.hash,
      challenge: code.challenge,
      redirect_uri: code.redirectUri,
      expires_at: code.expiresAt,
    }
    await this.#begin(connectionId, grant, state, code.expiresAt - now + SLACK_MS).exec()
  }

  async beginWithToken(connectionId: string, grant: Grant, access: StoredSecret, now: number): Promise<void> {
    const life = access.expiresAt - now
    const steps = this.#begin(connectionId, grant, { expires_at: access.expiresAt }, life)
    const value = `${access.expiresAt} ${grant.scope.join(' ')}`
    await steps.set(keysOf(connectionId).access(access.hash), value, 'PX', life).exec()
  }

  async redeem({ connectionId, now, access, refresh, ...attempt }: Redemption): Promise<RedeemOutcome> {
    const keys = keysOf(connectionId)
    const step = () =>
      this.#scripts.oauthRedeem(
        ...[keys.grant, keys.state, keys.selection, keys.access(access.hash)],
        ...[attempt.codeHash, attempt.clientId, attempt.redirectUri ?? '', attempt.challenge],
        ...[attempt.resource ?? '', now, RACE_WINDOW_MS, access.expiresAt, access.expiresAt - now],
        ...[refresh.hash, refresh.expiresAt, refresh.expiresAt - now, this.#startBy()],
        ...[attempt.seed, attempt.repeat.fromMs, attempt.repeat.untilMs],
      )
    const result = outcomeOf(await step())
    if (result.outcome === 'redeemed') this.#remember(step)
    if (result.outcome === 'replayed') this.#remember(() => this.#end(connectionId))
    return result as RedeemOutcome
  }

  async rotate(rotation: Rotation): Promise<RotateOutcome> {
    const { connectionId, presented, now, access, refresh, ...attempt } = rotation
    const keys = keysOf(connectionId)
    const step = () =>
      this.#scripts.oauthRotate(
        ...[keys.grant, keys.state, keys.selection, keys.access(access.hash)],
        ...[presented.hash, presented.generation, attempt.clientId, attempt.resource ?? ''],
        ...[attempt.scope?.join(' ') ?? '', now, RACE_WINDOW_MS, access.expiresAt, access.expiresAt - now],
        ...[refresh.hash, refresh.expiresAt, refresh.expiresAt - now],
        ...[attempt.seed, attempt.repeat.fromMs, attempt.repeat.untilMs, this.#startBy()],
      )
    const result = outcomeOf(await step())
    if (result.outcome === 'rotated') this.#remember(step)
    if (result.outcome === 'reused') this.#remember(() => this.#end(connectionId))
    return result as RotateOutcome
  }

  async settle(issued: readonly Issued[]): Promise<void> {
    const keys = issued.map(({ connectionId }) => stateKey(connectionId))
    const generations = issued.map(({ generation }) => generation)
    // A script of a cluster is limited to the keys of one slot.
    const step = isCluster(this.#redis)
      ? () => Promise.all(keys.map((key, i) => this.#redis.hdel(key, `pair:${generations[i]}`)))
      : () => this.#scripts.oauthSettle(keys.length, ...keys, ...generations)
    await step()
    this.#remember(step)
  }

  async find(connectionId: string): Promise<Grant | null> {
    const grant = await this.#redis.get(keysOf(connectionId).grant)
    return grant ? readGrant(grant) : null
  }

  async findActive(connectionIds: readonly string[], now: number): Promise<Set<string>> {
    const expiries = await Promise.all(
      connectionIds.map(id => this.#redis.hget(keysOf(id).state, 'expires_at')),
    )
    return new Set(connectionIds.filter((_, i) => Number(expiries[i]) > now))
  }

  async change(connectionId: string, change: (grant: Grant) => Grant): Promise<Grant | null> {
    const key = keysOf(connectionId).grant
    for (;;) {
      const before = await this.#redis.get(key)
      if (!before) return null
      const grant = change(readGrant(before))
      const step = () => this.#scripts.oauthReplaceGrant(key, before, writeGrant(grant))
      const outcome = await step()
      if (outcome === 'ended') return null
      if (outcome === 'changed') continue
      this.#remember(step)
      return grant
    }
  }

  revoke(connectionId: string): Promise<void> {
    return this.revokeAll([connectionId])
  }

  async revokeAll(connectionIds: readonly string[]): Promise<void> {
    const step = () => Promise.all(connectionIds.map(id => this.#end(id)))
    await step()
    this.#remember(step)
  }

  async revokeAccessToken(connectionId: string, tokenHash: string): Promise<void> {
    const step = () => this.#redis.del(keysOf(connectionId).access(tokenHash))
    await step()
    this.#remember(step)
  }

  async findAccess(
    connectionId: string,
    tokenHash: string,
    sessionHash: string | null,
    now: number,
  ): Promise<FoundAccess | null> {
    const keys = keysOf(connectionId)
    const wanted = [keys.grant, keys.access(tokenHash), keys.selection]
    if (sessionHash) wanted.push(keys.session(sessionHash))
    const [grant, access, selectedSafeId, session] = await this.#redis.mget(wanted)
    if (!grant || !access) return null
    const [accessExpiry, ...tokenScope] = access.split(' ')
    if (Number(accessExpiry) <= now) return null
    const [sessionExpiry, protocolVersion, sessionSafeId, apps] = session?.split(' ') ?? []
    return {
      grant: readGrant(grant),
      tokenScope,
      selectedSafeId: selectedSafeId ?? null,
      session:
        protocolVersion && Number(sessionExpiry) > now
          ? { protocolVersion, selectedSafeId: sessionSafeId || null, showsApps: apps === SHOWS_APPS }
          : null,
    }
  }

  async openSession(connectionId: string, session: NewSession, now: number): Promise<void> {
    const keys = keysOf(connectionId)
    const { hash, expiresAt, protocolVersion, selectedSafeId, showsApps } = session
    const value = [expiresAt, protocolVersion, selectedSafeId ?? '', ...(showsApps ? [SHOWS_APPS] : [])]
    await this.#scripts.oauthOpenSession(
      ...[keys.session(hash), keys.sessions],
      ...[value.join(' '), hash],
      ...[expiresAt, expiresAt - now, SESSIONS_PER_CONNECTION],
    )
  }

  async endSession(connectionId: string, sessionHash: string): Promise<void> {
    const keys = keysOf(connectionId)
    await this.#redis.multi().del(keys.session(sessionHash)).zrem(keys.sessions, sessionHash).exec()
  }

  async select(
    connectionId: string,
    safeId: string,
    session: StoredSecret | null,
    now: number,
  ): Promise<void> {
    const keys = keysOf(connectionId)
    const [outcome] = await this.#scripts.oauthSelect(
      ...[keys.grant, keys.selection, session ? keys.session(session.hash) : keys.grant],
      ...[keys.sessions, safeId, session?.expiresAt ?? '', session ? session.expiresAt - now : 0],
      session?.hash ?? '',
      this.#startBy(),
    )
    rejectLate(outcome)
  }

  #begin(connectionId: string, grant: Grant, state: Record<string, string | number>, life: number) {
    const keys = keysOf(connectionId)
    const steps = this.#redis.multi().set(keys.grant, writeGrant(grant), 'PX', life)
    steps.hset(keys.state, state).pexpire(keys.state, life)
    const start = startingSafe(grant)
    return start ? steps.set(keys.selection, start, 'PX', life) : steps
  }

  #end(connectionId: string): Promise<number> {
    const keys = keysOf(connectionId)
    return this.#redis.del(keys.grant, keys.state, keys.selection)
  }
}
