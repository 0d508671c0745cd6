// The reference for rotations: a bare Fastify route that reads a form, hashes the refresh token and runs one Lua
// script, which swaps the token of a connection and stores an access token. Its argument: the URL of Redis.
import { createHash, randomBytes } from 'node:crypto'
import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { ready } from '../load/child.js'
import { CLIENTS } from '../load/rounds.js'

const SWAP = `
if redis.call('HGET', KEYS[1], 'refresh') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'refresh', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SET', KEYS[2], 'vault:read', 'PX', ARGV[3])
return 1
`
const HOUR_MS = 3_600_000

const [redisUrl = ''] = process.argv.slice(2)
const redis = new Redis(redisUrl, { enableAutoPipelining: true })
redis.defineCommand('swap', { numberOfKeys: 2, lua: SWAP })
const { swap } = redis as unknown as { swap(...keysAndArguments: (string | number)[]): Promise<number> }

const app = Fastify()
await app.register(formbody)
app.post<{ Body: { refresh_token: string } }>('/token', async (request, reply) => {
  const { refresh_token: old } = request.body
  const connection = old.slice(0, 22)
  const [access, refresh] = [newToken(connection), newToken(connection)]
  const keys = [`bare:{${connection}}:state`, `bare:{${connection}}:access:${hashOf(access)}`]
  const done = await swap.call(redis, ...keys, hashOf(old), hashOf(refresh), HOUR_MS, 90 * 24 * HOUR_MS)
  if (done !== 1) return reply.code(400).send({ error: 'invalid_grant' })
  return reply.header('Cache-Control', 'no-store').send(answer(access, refresh))
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
const refreshTokens: string[] = []
for (let i = 0; i < CLIENTS; i++) refreshTokens.push(await newConnection())
ready({ port: Number(new URL(address).port), clientId: 'bare', refreshTokens }, () => app.close())

/** Returns its first refresh token. */
async function newConnection(): Promise<string> {
  const connection = randomBytes(16).toString('base64url')
  const refresh = newToken(connection)
  await redis.hset(`bare:{${connection}}:state`, 'refresh', hashOf(refresh))
  return refresh
}

function newToken(connection: string): string {
  return connection + randomBytes(32).toString('base64url')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function answer(access: string, refresh: string) {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: refresh,
    scope: 'vault:read',
  }
}
