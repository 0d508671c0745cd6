// What MCP requests are measured against (DESIGN §6): a bare Fastify route that hashes the bearer token, does one
// auto-pipelined Redis GET and returns 2 KB. Run by run.ts with the Redis URL as its argument; prints its address.
import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { Redis } from 'ioredis'

const redis = new Redis(process.argv[2] as string, { enableAutoPipelining: true })
await redis.set('reference', 'x')
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(2000) } })

const app = Fastify()
app.post('/', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const hash = createHash('sha256').update(token).digest('base64url')
  await redis.get(hash)
  return reply.type('application/json; charset=utf-8').send(body)
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ address })
// How much work the requests were (run.ts asks before and after).
process.on('message', () => process.send?.(process.cpuUsage()))
