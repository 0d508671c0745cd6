import { connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { build, redisUrl } from '../../helper.js'
import { assistantOf } from './assistant.js'

/**
 * A proxy to Redis that can lose a reply: the command arrives, but the connection is cut before the reply.
 */
async function startLossyLine(t: Test) {
  const { port: redisPort, pathname } = new URL(await redisUrl())
  const line = { losing: false, lost: 0 }
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(Number(redisPort), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', answer => {
      if (!line.losing) return near.write(answer)
      line.losing = false
      line.lost++
      near.destroy()
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { line, url: `redis://127.0.0.1:${port}${pathname}` }
}

t.test('T11, T16 a reply of Redis that is lost does not count as a use by another client', async t => {
  const { line, url } = await startLossyLine(t)
  const app = await build(t, { env: { REDIS_URL: url } })
  const { assistant } = await assistantOf(app)
  const { refresh_token } = await assistant.connect()
  const code = await assistant.code()
  for (const send of [() => assistant.redeem(code), () => assistant.refresh(refresh_token)]) {
    await app.redis?.ping() // Answers come in order, so nothing else is under way.
    line.losing = true
    const response = await send()
    t.notOk(line.losing, 'an answer was lost')
    t.equal(response.statusCode, 200)
    const { access_token, refresh_token: next } = response.json()
    t.ok(await assistant.works(access_token))
    t.equal((await assistant.refresh(next)).statusCode, 200)
  }
  t.equal(line.lost, 2)
})
