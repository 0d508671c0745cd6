import { setImmediate as turnEnd } from 'node:timers/promises'
import t from 'tap'
import { answerOf, rpc } from '../../unit/mcp/domain.js'
import { writesNothing } from '../../written.js'
import { buildService } from './service.js'

const { app, ann, bob, harbour, office, issue, poster } = await buildService(t)
const [anns, bobs] = [poster(await issue(ann)), poster(await issue(bob))]

t.test('X8, X13 notifications/cancelled ends no request and hangs no exchange', async t => {
  const { ask } = app.safes
  const held: (() => void)[] = []
  app.safes.ask = async (_account, safeId, { query }) => {
    await new Promise<void>(resolve => held.push(resolve))
    return answerOf(safeId, query)
  }
  t.teardown(() => {
    app.safes.ask = ask
  })
  const session = { 'mcp-session-id': await anns.initialize() }
  const call = (safe: string) => rpc(7, 'tools/call', { name: 'svc', arguments: { query: 'x', safe } })
  const open = [anns.send(call(harbour), session), anns.send(call(harbour)), bobs.send([call(office)])]
  while (held.length < open.length) await turnEnd()

  // All clients use the id 7; small numbers may also be internal ids of other requests.
  const guesses = [7, '7', ...Array.from({ length: 50 }, (_, i) => i), null, undefined, {}]
  const cancel = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'x' },
  })
  await writesNothing(t, app, 'cancelled', async () => {
    for (const [client, headers] of [
      [bobs, {}],
      [anns, {}],
      [anns, session],
    ] as const) {
      for (const guess of guesses) {
        t.match(await client.send(cancel(guess), headers), { statusCode: 202, body: '' })
      }
      t.equal((await client.send(guesses.map(cancel).slice(0, 50), headers)).statusCode, 202, 'a batch')
    }
    const odd = { jsonrpc: '2.0', method: 'notifications/cancelled' }
    for (const params of [undefined, [], 7]) {
      t.equal((await bobs.send({ ...odd, params })).statusCode, 202)
    }
  })
  t.match((await bobs.send(rpc(1, 'notifications/cancelled', { requestId: 7 }))).json(), {
    error: { code: -32601 },
  })
  t.equal(held.length, open.length, 'all are still at work')
  for (const release of held) release()
  const answers = await Promise.all(open)
  for (const [i, safe] of [harbour, harbour, office].entries()) {
    const answer = answers[i]?.json()
    const one = Array.isArray(answer) ? answer[0] : answer
    t.match(one, { id: 7, result: { content: [{ text: new RegExp(`Safe "Safe ${safe}"`) }] } })
  }
})
