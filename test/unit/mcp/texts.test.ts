import t from 'tap'
import { accessOf, answerOf, openTestEndpoint } from './domain.js'
import { REVISION } from './stateless-request.js'

const structured = { protocolVersion: '2025-06-18' }

t.test('svc_list_safes shows a line per Safe and the next step', async t => {
  const { tool } = openTestEndpoint(t, { ann: ['a', 'b'], cleo: [] })
  const list = async (account: string, changes: object, args = {}) =>
    (await tool('svc_list_safes', args, { ...structured, access: accessOf(account, changes) })).content[0]
      ?.text
  const size = '3 entities, 2 relations, 1 passages'
  const lines = [`a "Safe a": ${size}`, `b "Safe b": ${size}`]
  t.equal(await list('ann', {}), `${lines.join('\n')}\nSelect one with svc_select_safe, then ask with svc.`)
  t.equal(
    await list('ann', { selectedSafeId: 'b' }),
    `${lines.join('\n')} (active)\nAsk the active one with svc, or select another with svc_select_safe.`,
  )
  t.equal(
    await list('ann', { chosenSafeIds: ['a'], onlyChosenSafe: true }),
    `${lines[0]} (active)\nAsk it with svc.`,
  )
  t.equal(
    await list('ann', {}, { cursor: 'a' }),
    `${lines[1]}\nSelect one with svc_select_safe, then ask with svc.`,
  )
  t.match(await list('cleo', {}), /^There is no Safe that this connection can read\./)
})

t.test('svc_list_safes pages with a cursor, which is the last id of a page', async t => {
  const ids = Array.from({ length: 101 }, (_, at) => `s${at}`)
  const { tool } = openTestEndpoint(t, { ann: ids })
  const first = await tool('svc_list_safes', {}, structured)
  t.match(first.structuredContent, { next_cursor: 's99' })
  t.equal((first.structuredContent as { safes: unknown[] }).safes.length, 100)
  t.match(first.content[0]?.text, '\nMore Safes follow: cursor s99\n')
  const second = await tool('svc_list_safes', { cursor: 's99' }, structured)
  t.match(second.structuredContent, { safes: [{ id: 's100' }], next_cursor: null })
  t.notMatch(second.content[0]?.text, 'More Safes')
})

t.test('svc_list_safes of a connection for one Safe takes no cursor of another', async t => {
  const { tool } = openTestEndpoint(t, { ann: ['a', 'b'] })
  const call = { ...structured, access: accessOf('ann', { chosenSafeIds: ['a'], onlyChosenSafe: true }) }
  t.equal((await tool('svc_list_safes', { cursor: 'b' }, call)).isError, true)
  t.match((await tool('svc_list_safes', { cursor: 'a' }, call)).structuredContent, {
    safes: undefined,
    next_cursor: null,
  })
})

t.test('svc_select_safe says which Safe is active and what to do next', async t => {
  const { post, tool } = openTestEndpoint(t, { ann: ['a', 'b'] })
  const text = async (call: object) => (await tool('svc_select_safe', { safe: 'a' }, call)).content[0]?.text
  t.equal(await text(structured), '"Safe a" (a) is the active Safe now. Ask it with svc.')
  const modern = async (access: object) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name: 'svc_select_safe', arguments: { safe: 'a' }, _meta }
    const headers = { protocolVersion: REVISION, mcpMethod: 'tools/call', mcpName: 'svc_select_safe' }
    const call = { ...headers, access: accessOf('ann', access) }
    return (await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, call)).body.result.content[0]
      .text
  }
  t.equal(
    await modern({}),
    '"Safe a" (a) is the active Safe now. Pass "safe": "a" in later calls of svc, because other conversations may select another Safe.',
  )
  t.equal(
    await modern({ chosenSafeIds: ['a'], onlyChosenSafe: true }),
    '"Safe a" (a) is the active Safe now. Ask it with svc.',
  )
})

t.test('R9 a Safe is found by its name on any page of the list', async t => {
  const ids = Array.from({ length: 450 }, (_, at) => `s${at}`)
  const { tool } = openTestEndpoint(t, { ann: ids })
  for (const at of [0, 199, 200, 449])
    t.match((await tool('svc_select_safe', { safe: `safe s${at}` }, structured)).structuredContent, {
      safe: { id: `s${at}` },
    })
  t.match(await tool('svc_select_safe', { safe: 'Safe s450' }), {
    isError: true,
    content: [
      { text: /^Error: This account has no Safe "Safe s450"\. It can read 450; the nearest are "Safe s/ },
    ],
  })
})

t.test('R9 an unknown, lost or missing Safe each get a sentence with the next step', async t => {
  const { tool, safes } = openTestEndpoint(t, { ann: ['a', 'b'], bob: ['c'] })
  const text = async (args: object, access: object, account = 'ann') =>
    (await tool('svc', { query: 'x', ...args }, { ...structured, access: accessOf(account, access) }))
      .content[0]?.text
  const one = { chosenSafeIds: ['a'], onlyChosenSafe: true }
  t.match(
    await text({ safe: 'b' }, one),
    /^Error: This connection can read one Safe only, which is active already\. Leave out "safe"/,
  )
  for (const args of [{}, { safe: 'a' }])
    t.match(await text(args, one, 'bob'), /^Error: The Safe of this connection no longer exists/)
  t.match(
    await text({ safe: 'c' }, {}),
    'Error: This account has no Safe "c". It can read "Safe a" (a), "Safe b" (b). Pass one of these names or ids.',
  )
  t.match(await text({ safe: 'x' }, {}, 'eve'), /^Error: This account cannot read any Safe yet\./)
  t.match(await text({}, {}, 'eve'), /^Error: This account cannot read any Safe yet\./)
  safes.questions.ask = async (_account, safeId) => answerOf(safeId, 'x')
  t.notMatch(await text({ safe: 'a' }, {}), 'More:', 'without a cursor there is no more')
})
