/**
 * Lua scripts for the atomic operations of the Redis grant store. All keys of a connection share one hash
 * tag. A connection is active as long as its `:facts` key exists. `now` is an argument, so that Redis and SQL
 * apply the same clock. If the network connection drops before the reply arrives, ioredis sends the command
 * again. The script recognises its own earlier result by the hash of the new refresh token and returns the
 * same outcome. Checks run in the same order as in the SQL store (`evaluate-grant.ts`).
 */

/** Compares with the Redis clock; see `platform/storage/redis/command-deadline.ts`. */
function unlessLate(argument: number): string {
  return `local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[${argument}]) then return { 'late' } end`
}

/**
 * KEYS grant, state, selection, new access token.
 * ARGV code hash, client id, redirect URI or '', challenge, resource or '', now, race window ms, access expiry,
 *      access ms to live, refresh hash, refresh expiry, connection ms to live, start-by time, seed, may be
 *      repeated from ms, until before ms.
 */
export const REDEEM = `
local json = redis.call('GET', KEYS[1])
local code = redis.call('HMGET', KEYS[2],
  'code_hash', 'challenge', 'redirect_uri', 'expires_at', 'code_used_at', 'refresh_hash',
  'refresh_generation', 'pair:1')
if json and code[6] == ARGV[10] then return { 'redeemed', json } end
${unlessLate(13)}
if not json or code[1] ~= ARGV[1] then return { 'unknown' } end
local grant = cjson.decode(json)
if grant.clientId ~= ARGV[2] then return { 'other-client' } end
if code[2] ~= ARGV[4] then return { 'wrong-verifier' } end
local now = tonumber(ARGV[6])
if code[5] then
  local since = now - tonumber(code[5])
  if code[7] == '1' and code[8] and since >= tonumber(ARGV[15]) and since < tonumber(ARGV[16]) then
    return { 'repeated', json, code[8], code[5] }
  end
  if since < tonumber(ARGV[7]) then return { 'used' } end
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  return { 'replayed' }
end
if tonumber(code[4]) <= now then return { 'expired' } end
if ARGV[3] ~= '' and code[3] ~= ARGV[3] then return { 'wrong-redirect-uri' } end
if ARGV[5] ~= '' and ARGV[5] ~= grant.resource then return { 'wrong-resource' } end
redis.call('HSET', KEYS[2], 'code_used_at', ARGV[6], 'refresh_hash', ARGV[10], 'refresh_generation', '1',
  'expires_at', ARGV[11], 'rotated_at', ARGV[6], 'pair:1', ARGV[14] .. ' ' .. table.concat(grant.scope, ' '))
redis.call('SET', KEYS[4], ARGV[8] .. ' ' .. table.concat(grant.scope, ' '), 'PX', ARGV[9])
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[12]) end
return { 'redeemed', json }
`

/**
 * KEYS grant, state, selection, new access token.
 * ARGV presented hash, its generation, client id, resource or '', scope or '', now, race window ms, access
 * expiry, access ms to live, refresh hash, refresh expiry, connection ms to live, seed, may be repeated from
 * ms, until before ms, start-by time.
 */
export const ROTATE = `
local json = redis.call('GET', KEYS[1])
local state = redis.call('HMGET', KEYS[2],
  'refresh_hash', 'refresh_generation', 'expires_at', 'rotated_at', 'pair:' .. ARGV[2] + 1, 'pair:' .. ARGV[2])
if json and state[1] == ARGV[10] then return { 'rotated', json } end
${unlessLate(16)}
if not json or not state[1] then return { 'unknown' } end
local grant = cjson.decode(json)
if grant.clientId ~= ARGV[3] then return { 'other-client' } end
local now = tonumber(ARGV[6])
local since = now - tonumber(state[4])
local behind = tonumber(state[2]) - tonumber(ARGV[2])
local function exceeds_grant()
  if ARGV[4] ~= '' and ARGV[4] ~= grant.resource then return 'wrong-resource' end
  if ARGV[5] == '' then return nil end
  local granted = ' ' .. table.concat(grant.scope, ' ') .. ' '
  local withdrawn = ' ' .. table.concat(grant.withdrawnScope or {}, ' ') .. ' '
  local left = false
  for name in string.gmatch(ARGV[5], '%S+') do
    local is_granted = string.find(granted, ' ' .. name .. ' ', 1, true)
    if not is_granted and not string.find(withdrawn, ' ' .. name .. ' ', 1, true) then return 'wrong-scope' end
    left = left or is_granted
  end
  if not left then return 'wrong-scope' end
end
if behind > 0 then
  if behind == 1 and state[5] and since >= tonumber(ARGV[14]) and since < tonumber(ARGV[15]) then
    local refusal = exceeds_grant()
    if refusal then return { refusal } end
    return { 'repeated', json, state[5], state[4] }
  end
  if since < tonumber(ARGV[7]) then return { 'raced' } end
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  return { 'reused' }
end
if behind < 0 or state[1] ~= ARGV[1] then return { 'unknown' } end
if tonumber(state[3]) <= now then return { 'expired' } end
local refusal = exceeds_grant()
if refusal then return { refusal } end
local scope = ARGV[5] ~= '' and ARGV[5] or table.concat(grant.scope, ' ')
redis.call('HSET', KEYS[2], 'refresh_hash', ARGV[10], 'refresh_generation', tonumber(ARGV[2]) + 1,
  'expires_at', ARGV[11], 'rotated_at', ARGV[6], 'pair:' .. ARGV[2] + 1, ARGV[13] .. ' ' .. scope)
if state[6] then redis.call('HDEL', KEYS[2], 'pair:' .. ARGV[2]) end
redis.call('SET', KEYS[4], ARGV[8] .. ' ' .. scope, 'PX', ARGV[9])
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[12]) end
return { 'rotated', json }
`

/** KEYS states. ARGV for each, the generation of the refresh token whose seed is deleted. */
export const SETTLE = `for i, state in ipairs(KEYS) do redis.call('HDEL', state, 'pair:' .. ARGV[i]) end`

/** KEYS grant. ARGV the grant as it was read, its replacement. */
export const REPLACE_GRANT = `
local left = redis.call('PTTL', KEYS[1])
local json = redis.call('GET', KEYS[1])
if left <= 0 or not json then return 'ended' end
if json == ARGV[2] then return 'replaced' end
if json ~= ARGV[1] then return 'changed' end
redis.call('SET', KEYS[1], ARGV[2], 'PX', left)
return 'replaced'
`

/**
 * KEYS new session, list of sessions.
 * ARGV session, its hash, its expiry, ms to live, maximum number of sessions. The keys of evicted sessions
 * cannot be declared because they are not known in advance. They share the hash tag.
 */
export const OPEN_SESSION = `
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then return end
local surplus = redis.call('ZCARD', KEYS[2]) + 1 - tonumber(ARGV[5])
if surplus > 0 then
  for _, hash in ipairs(redis.call('ZRANGE', KEYS[2], 0, surplus - 1)) do
    redis.call('DEL', string.sub(KEYS[1], 1, -#ARGV[2] - 1) .. hash)
    redis.call('ZREM', KEYS[2], hash)
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
`

/**
 * KEYS grant, selection, session (or the grant again if there is none), list of sessions.
 * ARGV safe id, session expiry or '', session ms to live, session hash or '', start-by time.
 */
export const SELECT = `
${unlessLate(5)}
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return {} end
redis.call('SET', KEYS[2], ARGV[1], 'PX', left)
if ARGV[2] == '' then return {} end
local session = redis.call('GET', KEYS[3])
if session then
  local version, apps = string.match(session, '^%S+ (%S+) %S*(.*)$')
  redis.call('SET', KEYS[3], ARGV[2] .. ' ' .. version .. ' ' .. ARGV[1] .. apps, 'PX', ARGV[3])
  redis.call('ZADD', KEYS[4], ARGV[2], ARGV[4])
  redis.call('PEXPIRE', KEYS[4], ARGV[3])
end
return {}
`
