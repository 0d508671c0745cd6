import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { setUps } from '../../helper.js'
import { answerOf, rpc } from '../../unit/mcp/domain.js'
import { writesNothing } from '../../written.js'
import { buildService } from './service.js'

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']

for (const setUp of setUps) {
  t.test(setUp, async t => {
    const { app, ann, bob, harbour, office, issue, poster } = await buildService(t, { setUp })
    const [anns, bobs] = [poster(await issue(ann)), poster(await issue(bob))]

    t.test('X8 ping works, before initialize, in a session and after it, in every revision', async t => {
      const { send, request, initialize } = poster(await issue(ann))
      const pong = { jsonrpc: '2.0', id: 'p', result: {} }
      const ping = async (headers: Record<string, string> = {}, params?: object) =>
        (await send(rpc('p', 'ping', params), headers)).json()
      t.strictSame(await ping(), pong, 'before')
      for (const revision of REVISIONS) {
        t.strictSame(await ping({ 'mcp-protocol-version': revision }), pong, revision)
        const session = { 'mcp-session-id': await initialize(revision) }
        t.strictSame(
          await ping(session, { _meta: { progressToken: 1 } }),
          pong,
          `in a session of ${revision}`,
        )
        await request({ method: 'DELETE', headers: session })
      }
      t.strictSame(await ping(), pong, 'after')
    })

    t.test('X8, X13 notifications/cancelled ends nobody’s request and hangs no exchange', async t => {
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
      while (held.length < open.length) await sleep(1)

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

    t.test('X8 a request and its cancellation in one batch', async t => {
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
      const reply = await anns.send([cancel, rpc(1, 'ping'), cancel])
      t.strictSame(reply.json(), [{ jsonrpc: '2.0', id: 1, result: {} }])
    })

    t.test(
      'X13 20,000 concurrent calls over HTTP with colliding ids from two accounts: none goes astray',
      async t => {
        const call = (id: number) => rpc(id, 'tools/call', { name: 'svc_list_safes', arguments: {} })
        const batch = Array.from({ length: 50 }, (_, i) => call(i))
        const posts = Array.from({ length: 400 }, (_, i) => (i % 2 ? anns : bobs).send(batch))
        let astray = 0
        for (const [i, reply] of (await Promise.all(posts)).entries()) {
          const answers: { id: number; result: { content: { text: string }[] } }[] = reply.json()
          for (const [id, answer] of answers.entries()) {
            const text = answer.result.content[0]?.text ?? ''
            const mine =
              i % 2
                ? text.includes(harbour) && !text.includes(office)
                : text.includes(office) && !text.includes(harbour)
            if (answer.id !== id || !mine) astray++
          }
          astray += 50 - answers.length
        }
        t.equal(astray, 0)
      },
    )

    t.test(
      'X1, X13 nothing but tools and ping is answered: no logging, no tasks, nothing to subscribe to',
      async t => {
        const methods = [
          'logging/setLevel',
          'completion/complete',
          'prompts/list',
          'resources/list',
          'resources/subscribe',
          'roots/list',
          'sampling/createMessage',
          'elicitation/create',
          'tasks/list',
          'tasks/get',
          'tasks/result',
          'tasks/cancel',
        ]
        for (const revision of REVISIONS) {
          for (const method of methods) {
            const params = { level: 'debug', taskId: '1', uri: 'x' }
            const reply = await writesNothing(t, app, method, () =>
              anns.send(rpc(1, method, params), { 'mcp-protocol-version': revision }),
            )
            t.match(reply.json(), { id: 1, error: { code: -32601 } }, `${method} in ${revision}`)
          }
        }
        const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }
        t.match(await anns.send(changed), { statusCode: 202, body: '' }, 'it asks nothing back')
      },
    )
  })
}
