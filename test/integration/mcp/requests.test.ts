import t from 'tap'
import { setUps } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { buildService } from './service.js'

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

for (const setUp of setUps) {
  t.test(setUp, async t => {
    const { app, ann, harbour, issue, poster } = await buildService(t, { setUp })
    const { send } = poster(await issue(ann))
    /** A call that writes, which both stores would show. */
    const select = rpc(1, 'tools/call', { name: 'svc_select_safe', arguments: { safe: harbour } })

    t.test('X2 whatever Accept says, an answer is application/json', async t => {
      const accepts = [
        undefined,
        '',
        '*/*',
        'application/json',
        'application/json, text/event-stream',
        'text/event-stream',
        'text/html',
        'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
        'application/json;q=0',
        'image/png',
        'a/b/c;;,',
        'x'.repeat(4000),
      ]
      const bodies: [body: unknown, type: string, status: number][] = [
        [rpc(1, 'ping'), 'application/json', 200],
        [[rpc(1, 'ping')], 'application/json', 200],
        [rpc(1, 'nothing'), 'application/json', 200],
        ['{', 'application/json', 400],
        [rpc(1, 'ping'), 'text/plain', 415],
      ]
      for (const accept of accepts) {
        for (const [body, type, status] of bodies) {
          const reply = await send(body, { 'content-type': type, ...(accept !== undefined && { accept }) })
          t.equal(reply.statusCode, status, `${accept}`)
          t.match(reply.headers['content-type'], /^application\/json\b/, `${accept}`)
          t.equal(JSON.parse(reply.body)[0]?.jsonrpc ?? reply.json().jsonrpc, '2.0')
        }
        const unauthorized = await app.inject({
          method: 'POST',
          url: '/mcp/v1',
          headers: accept === undefined ? {} : { accept },
        })
        t.match(unauthorized.headers['content-type'], /^application\/json\b/, `401 for ${accept}`)
      }
    })

    t.test('X3 notifications and responses are 202 without a body, in every revision', async t => {
      const messages = [
        notification,
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'x' } },
        { jsonrpc: '2.0', method: 'notifications/nothing', params: { a: 1 } },
        { jsonrpc: '2.0', method: 'tools/call', params: select.params },
        { jsonrpc: '2.0', id: 7, result: {} },
        { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'x' } },
      ]
      for (const revision of [undefined, ...REVISIONS]) {
        const headers: Record<string, string> = revision ? { 'mcp-protocol-version': revision } : {}
        for (const message of messages) {
          const reply = await refused(t, app, message.method ?? 'a response', () => send(message, headers))
          t.match(reply, { statusCode: 202, body: '' }, JSON.stringify(message))
          t.equal(reply.headers['content-type'], undefined)
        }
      }
      t.match(await send(messages), { statusCode: 202, body: '' }, 'a batch of them')
    })

    t.test('X3 array in, array out: each request of a batch is answered, and nothing else', async t => {
      const batch = [
        rpc('b', 'ping'),
        notification,
        rpc(1, 'nothing'),
        { jsonrpc: '2.0', id: 9, result: {} },
        rpc('1', 'ping'),
      ]
      const answers = (await send(batch)).json()
      t.same(answers.map(({ id }: { id: unknown }) => id).sort(), [1, '1', 'b'])
      t.same((await send([rpc(5, 'ping')])).json(), [{ jsonrpc: '2.0', id: 5, result: {} }], 'also of one')
      t.match(
        (await send([rpc(1, 'ping'), 7, rpc(null, 'ping'), rpc(2, 'ping', [])])).json(),
        [
          { id: 1, result: {} },
          { id: null, error: { code: -32600 } },
          { id: null, error: { code: -32600 } },
          { id: 2, error: { code: -32602 } },
        ],
        'bad members are answered each for itself',
      )
    })

    t.test('X3, X5 a batch that is refused is refused as a whole', async t => {
      const selects = (count: number) => Array.from({ length: count }, (_, i) => ({ ...select, id: i }))
      const start = rpc(2, 'initialize', {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      })
      const { id: _id, ...startNotification } = start
      const batches: [name: string, batch: unknown[]][] = [
        ['empty', []],
        ['51 messages', selects(51)],
        ['51 notifications', Array(51).fill(notification)],
        ['initialize alone', [start]],
        ['initialize last', [select, start]],
        ['initialize without an id', [select, startNotification]],
        ['equal numbers', [select, rpc(2, 'ping'), select]],
        ['numbers equal once read', [select, rpc(1.0, 'ping')]],
        ['equal texts', [{ ...select, id: 'a' }, rpc('a', 'ping')]],
      ]
      for (const [name, batch] of batches) {
        const reply = await refused(t, app, name, () => send(batch))
        t.equal(reply.statusCode, 400, name)
        t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32600 } }, name)
      }
      t.equal((await send(selects(50))).json().length, 50)
    })

    t.test('X4 invalid envelopes are refused with their status, code and id', async t => {
      const call = (name: unknown, args?: unknown) => rpc(1, 'tools/call', { name, arguments: args })
      const bodies: [body: unknown, status: number, code: number, id: unknown][] = [
        ['', 400, -32700, null],
        ['{"jsonrpc":"2.0","id":1,"method":"ping"', 400, -32700, null],
        ["{'jsonrpc':'2.0'}", 400, -32700, null],
        ['\ufeff{}x', 400, -32700, null],
        ['{"jsonrpc":"2.0","id":NaN,"method":"ping"}', 400, -32700, null],
        ['null', 400, -32600, null],
        ['"ping"', 400, -32600, null],
        ['{}', 400, -32600, null],
        ['{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}', 400, -32600, null],
        [{ id: 1, method: 'ping' }, 400, -32600, null],
        [{ jsonrpc: 2, id: 1, method: 'ping' }, 400, -32600, null],
        [{ jsonrpc: '2.0', id: 1 }, 400, -32600, 1],
        [{ jsonrpc: '2.0', id: 1, method: null }, 400, -32600, 1],
        ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', 400, -32600, null],
        ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', 400, -32600, null],
        ...[null, true, 0.5, 2 ** 53, -(2 ** 53), [], {}].map(
          id => [rpc(id, 'ping'), 400, -32600, null] as [unknown, number, number, null],
        ),
        ...[null, [], [1], 'x', 7, false].map(
          params => [rpc(1, 'ping', params), 200, -32602, 1] as [unknown, number, number, number],
        ),
        ...[
          '',
          'Ping',
          'ping ',
          'tools',
          'resources/list',
          'constructor',
          '__proto__',
          'notifications/initialized',
        ].map(method => [rpc(1, method), 200, -32601, 1] as [unknown, number, number, number]),
        [rpc('x', 'tools/call'), 200, -32602, 'x'],
        [call(undefined), 200, -32602, 1],
        [call(7), 200, -32602, 1],
        [call('svc', []), 200, -32602, 1],
        [call('svc', null), 200, -32602, 1],
        [call('svc', 'x'), 200, -32602, 1],
        ...['svc_delete', 'SVC', 'constructor', '__proto__', '', 'x'.repeat(9000)].map(
          name => [call(name, {}), 200, -32602, 1] as [unknown, number, number, number],
        ),
      ]
      for (const [body, status, code, id] of bodies) {
        const name = (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 80)
        const reply = await refused(t, app, name, () => send(body))
        t.equal(reply.statusCode, status, name)
        const { jsonrpc, error, ...rest } = reply.json()
        t.strictSame({ jsonrpc, code: error?.code, rest }, { jsonrpc: '2.0', code, rest: { id } }, name)
        t.ok(error.message.length < 200, 'what was sent is not echoed')
      }
    })

    t.test(
      'X4 ids come back as they were; members nobody knows, task among them, change nothing',
      async t => {
        for (const id of [
          0,
          -7,
          2 ** 53 - 1,
          1 - 2 ** 53,
          '',
          ' ',
          '1',
          '__proto__',
          '\u202e"\\',
          '🧿'.repeat(5000),
        ]) {
          t.strictSame((await send(rpc(id, 'ping'))).json(), { jsonrpc: '2.0', id, result: {} })
        }
        const odd = { result: {}, error: {}, extra: 1, __proto__: null }
        const _meta = { progressToken: [], 'io.modelcontextprotocol/related-task': { taskId: 7 } }
        t.strictSame((await send({ ...odd, ...rpc(1, 'ping', { task: 'x', _meta }) })).json(), rpcResult({}))
        const asTask = { name: 'svc_list_safes', arguments: {}, task: { ttl: 1000 }, _meta }
        const { result } = (await send(rpc(1, 'tools/call', asTask))).json()
        t.match(result, { content: [{ type: 'text', text: String }] }, 'an answer at once, not a task')
        t.notOk(result.task)
      },
    )

    t.test('X4 a body nested as deep as it may be is answered, too', async t => {
      const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
      const ping = (value: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${value}}}`
      t.equal((await send(ping(deep(100_000)))).statusCode, 200)
      const reply = await send(deep(400_000))
      t.match(reply.json(), [{ id: null, error: { code: -32600 } }])
    })
  })
}

const rpcResult = (result: object) => ({ jsonrpc: '2.0', id: 1, result })
