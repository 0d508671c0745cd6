// The reference for MCP requests: a bare Fastify route that hashes the bearer token, does one auto-pipelined
// Redis GET and returns the bytes of a `tools/call`. Its arguments: the URL of Redis and a file with those bytes.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { ready } from '../load/child.js'

const [redisUrl = '', file = ''] = process.argv.slice(2)
const redis = new Redis(redisUrl, { enableAutoPipelining: true })
const body = readFileSync(file, 'utf8')

const app = Fastify()
app.post('/', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const hash = createHash('sha256').update(token).digest('base64url')
  await redis.get(hash)
  return reply.type('application/json; charset=utf-8').send(body)
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
ready({ port: Number(new URL(address).port) }, () => app.close())
