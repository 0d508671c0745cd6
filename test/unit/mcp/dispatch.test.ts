import { mock } from 'node:test'
import { setImmediate as turnEnd } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { DispatchOptions } from '../../../mcp/dispatch.js'
import { testClock } from '../../helper.js'
import { rounds } from '../../rounds.js'
import { accessOf, answerOf, contextOf, openTestEndpoint, rpc } from './domain.js'

/** An endpoint and a function that asks its tool. */
function connect(t: Test, members: Record<string, string[]>, changes: Partial<DispatchOptions> = {}) {
  const { endpoint, ...rest } = openTestEndpoint(t, members, changes)
  const ask = (id: string | number, query: string, accountId = 'ann', signal?: AbortSignal) =>
    endpoint.handle(
      { id, method: 'tools/call', params: { name: 'svc', arguments: { query } } },
      { ...contextOf(accountId, '2025-06-18'), ...(signal && { signal }) },
    )
  return { endpoint, ask, ...rest }
}

t.test('X13 of thousands of calls at once with colliding ids no answer goes astray', async t => {
  const { endpoint, ask } = connect(t, { ann: ['a'], bob: ['b'] })
  const calls = Array.from({ length: rounds(2_000, 20_000) }, (_, i) => ({
    accountId: i % 2 ? 'ann' : 'bob',
    id: i % 3 ? i % 100 : String(i % 100),
    query: `question ${i}`,
  }))
  const answers = await Promise.all(calls.map(({ accountId, id, query }) => ask(id, query, accountId)))
  let astray = 0
  for (const [i, { accountId, id, query }] of calls.entries()) {
    const answer = answers[i] as { id: unknown; result?: { structuredContent?: Record<string, unknown> } }
    const { safe, entities } = (answer.result?.structuredContent ?? {}) as {
      safe?: { id: string }
      entities?: string[]
    }
    const mine = safe?.id === (accountId === 'ann' ? 'a' : 'b') && entities?.[0] === query
    if (!mine || answer.id !== id) astray++
  }
  t.equal(astray, 0)
  t.equal(endpoint.pending, 0, 'nothing stays pending')
})

t.test('X13 every exchange has a time limit of its own, and leaves nothing behind', async t => {
  const clock = testClock(0)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const pass = async (ms: number) => {
    clock.now += ms
    mock.timers.tick(ms)
    await turnEnd()
  }
  const { endpoint, ask, reported } = connect(t, { ann: ['a'] }, { clock, timeoutMs: 300 })
  const first = ask(7, 'hang')
  await pass(150)
  const second = ask(7, 'hang')
  t.match(await ask(7, 'between'), { id: 7, result: {} })
  for (const [ms, pending] of [
    [149, 2],
    [1, 1],
    [149, 1],
    [1, 0],
  ] as const) {
    await pass(ms)
    t.equal(endpoint.pending, pending)
  }
  const expired = (n: number) => ({ error: { code: -32603, message: `(reference ref-${n}).` } })
  t.match(await Promise.all([first, second]), [expired(1), expired(2)])
  t.equal(reported.length, 2, 'both are in the log')
  t.match(await ask(7, 'next'), { id: 7, result: {} }, 'others go on')
})

t.test('N13 a cancelled request is answered at once, and what its handler does later is dropped', async t => {
  const { endpoint, ask, asked, reported } = connect(t, { ann: ['a'] })
  const controller = new AbortController()
  const { signal } = controller
  const answer = ask(7, 'hang', 'ann', signal)
  await turnEnd()
  t.equal(endpoint.pending, 1)
  controller.abort()
  t.match(await answer, { id: 7, error: { code: -32603 } })
  t.equal(endpoint.pending, 0)
  t.equal(asked.length, 1)
  t.match(await ask(8, 'late', 'ann', signal), { id: 8, error: { code: -32603 } })
  t.equal(asked.length, 1, 'a request cancelled before it began is not begun')
  t.match(await ask(9, 'next'), { id: 9, result: {} }, 'others go on')
  t.same(reported, [], 'it is nobody’s fault')
})

t.test('X8, X13 notifications/cancelled ends no request, whoever sends it', async t => {
  const { post, safes } = openTestEndpoint(t, { ann: ['a'], bob: ['b'] })
  const held: (() => void)[] = []
  safes.questions.ask = async (_account, safeId) => {
    await new Promise<void>(release => held.push(release))
    return answerOf(safeId)
  }
  const call = rpc(7, 'tools/call', { name: 'svc', arguments: { query: 'x' } })
  const open = [post(call), post([call]), post(call, { access: accessOf('bob') })]
  while (held.length < open.length) await turnEnd()
  // All clients use the id 7; small numbers may also be internal ids of other requests.
  const cancel = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  })
  for (const requestId of [7, '7', 0, 1, 2, 3, 4, null, undefined, {}])
    for (const account of ['ann', 'bob'])
      t.equal((await post(cancel(requestId), { access: accessOf(account) })).status, 202)
  t.equal((await post({ ...cancel(7), params: [] })).status, 202)
  for (const release of held) release()
  for (const { body } of await Promise.all(open))
    t.match([body].flat(), [{ id: 7, result: { content: [{ type: 'text' }] } }])
})

t.test('X4, X13 a server error is reported as a reference and nothing else', async t => {
  const { endpoint, ask, reported } = connect(t, { ann: ['a'] })
  for (const [at, query] of ['break', 'fail'].entries()) {
    const message = `Something went wrong on our side (reference ref-${at + 1}).`
    t.same(await ask('x', query), { jsonrpc: '2.0', id: 'x', error: { code: -32603, message } })
    t.match(reported[at], { message: /secret/ }, 'the log has it')
  }
  t.equal(endpoint.pending, 0)
})

t.test('X13 closing answers all pending requests', async t => {
  const { endpoint, ask } = connect(t, { ann: ['a'] })
  const open = [ask(1, 'hang'), ask(1, 'hang')]
  t.equal(endpoint.pending, 2)
  endpoint.close()
  t.match(await Promise.all(open), [{ error: { code: -32603 } }, { error: { code: -32603 } }])
  t.equal(endpoint.pending, 0)
})

t.test('a batch is charged first, then answered in turn, with turns for others in between', async t => {
  const { post } = openTestEndpoint(t, { ann: ['Home'] })
  const events: string[] = []
  const meter = { calls: (count: number) => events.push(`charged ${count}`), work() {} }
  let turns = 0
  let done = false
  const others = (async () => {
    while (!done) {
      await turnEnd()
      turns++
    }
  })()
  const batch = Array.from({ length: 50 }, (_, i) => rpc(i, i % 2 ? 'ping' : 'resources/templates/list'))
  const [{ status, body }] = await Promise.all([post(batch, { meter }), post(batch, { meter })])
  done = true
  await others
  t.equal(status, 200)
  t.strictSame(
    body.map(({ id }: { id: number }) => id),
    batch.map(({ id }) => id),
  )
  t.strictSame(events, ['charged 49', 'charged 49'])
  t.ok(turns >= 99, `${turns} turns of others`)
})
