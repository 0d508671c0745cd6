import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { mirrored, stateless } from '../../unit/mcp/stateless-request.js'
import { buildService, fill, importNotes } from './service.js'

const note = (date: string, text: string) => `---\ndate: ${date}\n---\n${text}\n`
const NOTES = {
  'old.md': note('2020-01-01', 'Old.'),
  'boats/A boat.md': note('2026-05-01', 'About a boat.'),
  'new.md': note('2026-06-01', 'New.'),
  ...Object.fromEntries(Array.from({ length: 110 }, (_, at) => [`many/${100 + at}.md`, `Number ${at}.\n`])),
  'long.md': 'A line of a long note.\n'.repeat(5_000),
}

const { app, ann, bob, harbour, garden, office, issue, poster } = await buildService(t)
await importNotes(app, ann, harbour, NOTES)
await fill(app, ann, garden)
await fill(app, bob, office)
const BOAT = `svc://${harbour}/boats/A%20boat.md`

/** The same request in an earlier revision and in 2026-07-28. */
async function eras(
  method: string,
  params: Record<string, unknown> = {},
  { post } = poster({ accessToken: '' }),
) {
  const name = [params.uri, params.name].find(value => typeof value === 'string')
  return [
    (await post(rpc(1, method, params), { 'mcp-protocol-version': '2025-06-18' })).body,
    (await post(stateless(method, params), mirrored(method, name))).body,
  ]
}

t.test('R4 documents are listed page by page, the newest first, and read by their addresses', async t => {
  const client = poster(await issue(ann, { chosenSafeIds: [harbour] }))
  for (const { result } of await eras('resources/list', {}, client)) {
    t.equal(result.resources.length, 100)
    t.match(result.resources.slice(0, 3), [
      {
        ...{ uri: `svc://${harbour}/new.md`, name: 'new.md', mimeType: 'text/markdown' },
        description: 'In the Safe "Harbour".',
      },
      { uri: BOAT, name: 'boats/A boat.md', title: 'A boat', annotations: { lastModified: /^2026-05-01/ } },
      { uri: `svc://${harbour}/old.md` },
    ])
    const [rest] = await eras('resources/list', { cursor: result.nextCursor }, client)
    const all = [...result.resources, ...rest.result.resources].map(({ uri }: { uri: string }) => uri)
    t.equal(new Set(all).size, Object.keys(NOTES).length + 1, 'none is missing or listed twice')
    t.notOk(rest.result.nextCursor)
  }
  for (const { result } of await eras('resources/read', { uri: BOAT }, client))
    t.match(result.contents, [{ uri: BOAT, mimeType: 'text/markdown', text: NOTES['boats/A boat.md'] }])
  const [lower] = await eras('resources/read', { uri: BOAT.replace(harbour, harbour.toLowerCase()) }, client)
  t.match(lower.result.contents, [{ text: NOTES['boats/A boat.md'] }], 'hosts in lower case are understood')
  const [long] = await eras('resources/read', { uri: `svc://${harbour}/long.md` }, client)
  t.match(long.result.contents, [
    { text: /^A line/ },
    { text: /continues\. Call svc with document "long\.md"/ },
  ])
  for (const { result } of await eras('resources/templates/list', {}, client))
    t.match(result.resourceTemplates, [{ uriTemplate: 'svc://{safe}/{+path}' }])
})

t.test('R4, S2 what is unknown and what may not be read are the same', async t => {
  const limited = poster(await issue(ann, { chosenSafeIds: [garden], onlyChosenSafe: true }))
  const pinned = poster(await issue(ann, {}, { safeId: garden }), `/mcp/v1/${garden}`)
  for (const [client, uris] of [
    [
      poster(await issue(ann)),
      [`svc://${office}/memory.jsonl`, `svc://${harbour}/none.md`, 'svc://x/y', 'file:///etc/passwd'],
    ],
    [limited, [BOAT]],
    [pinned, [BOAT]],
  ] as const)
    for (const uri of uris) {
      const [earlier, modern] = await eras('resources/read', { uri }, client)
      t.match(earlier, { error: { code: -32002, message: 'Resource not found' } }, uri)
      t.match(modern, { error: { code: -32602, message: 'Resource not found' } }, uri)
    }
  const all = poster(await issue(ann))
  const wrong = async (uri: string, client = all) =>
    (await eras('resources/read', { uri }, client))[0].error.message
  for (const safe of ['harbor', office]) {
    const said = await wrong(`svc://${safe}/none.md`)
    t.match(said, `This account has no Safe "${safe}". It can read`)
    t.ok(said.indexOf(harbour) < said.indexOf(garden) || safe === office, 'the nearest comes first (54.3)')
    t.notMatch(said, /Office/)
  }
  t.notMatch(await wrong(`svc://${garden}/none.md`), 'It can read', 'the Safe is known')
  for (const client of [limited, pinned]) t.match(await wrong(BOAT, client), 'can read one Safe only')
  for (const client of [limited, pinned]) {
    const [{ result }] = await eras('resources/list', {}, client)
    t.match(result.resources, [{ uri: `svc://${garden}/memory.jsonl` }])
    t.equal(result.resources.length, 1)
  }
  for (const cursor of ['x', Buffer.from(JSON.stringify([office, null, 'a'])).toString('base64url')])
    t.match((await eras('resources/list', { cursor }, limited))[0], { error: { code: -32602 } })
})

t.test('R4 Safes and paths are completed', async t => {
  const client = poster(await issue(ann))
  const complete = async (name: string, value: string, known = {}) => {
    const ref = { type: 'ref/resource', uri: 'svc://{safe}/{+path}' }
    const [earlier, modern] = await eras(
      'completion/complete',
      { ref, argument: { name, value }, context: { arguments: known } },
      client,
    )
    t.same(modern.result.completion, earlier.result.completion)
    return earlier.result.completion
  }
  t.same(await complete('safe', 'harb'), { values: ['Harbour'], hasMore: false })
  for (const known of [{ safe: harbour }, { safe: 'harbour' }, {}])
    t.same(await complete('path', 'boat', known), { values: ['boats/A boat.md'], hasMore: false })
  t.match(await complete('path', 'many', { safe: harbour }), { hasMore: true })
  t.same(await complete('path', '', { safe: office }), { values: [], hasMore: false })
})

t.test(
  'issue 54: prompts ask, summarize and say what changed, with completion of Safes and paths',
  async t => {
    const client = poster(await issue(ann))
    for (const { result } of await eras('prompts/list', {}, client)) {
      t.strictSame(
        result.prompts.map(({ name }: { name: string }) => name),
        ['ask', 'summarize', 'what_changed_since'],
      )
      for (const prompt of result.prompts)
        t.match(prompt.arguments, [{ required: true }, { name: 'safe', required: false }])
    }
    const textOf = async (name: string, args: object) => {
      const [earlier, modern] = await eras('prompts/get', { name, arguments: args }, client)
      t.same(modern.result.messages, earlier.result.messages)
      return earlier.result.messages[0].content.text
    }
    t.match(
      await textOf('ask', { question: 'Who is Ada?', safe: 'Harbour' }),
      /^Call svc .*"Who is Ada\?", safe "Harbour",/,
    )
    t.match(
      await textOf('summarize', { path: 'boats/A boat.md' }),
      /^Read the document "boats\/A boat\.md" with svc,/,
    )
    t.match(await textOf('summarize', { path: 'boats/' }), /in \["boats\/"\]/)
    t.match(await textOf('what_changed_since', { since: '2026-05-01' }), /^Call svc with since "2026-05-01"/)
    for (const params of [
      { name: 'other' },
      { name: 'ask' },
      { name: 'ask', arguments: { question: ' ' } },
      {},
    ])
      t.match((await eras('prompts/get', params, client))[0], { error: { code: -32602 } })
    const complete = async (name: string, value: string) => {
      const ref = { type: 'ref/prompt', name: 'summarize' }
      const params = { ref, argument: { name, value } }
      return (await client.post(rpc(1, 'completion/complete', params))).body.result.completion.values
    }
    t.strictSame(await complete('safe', 'harb'), ['Harbour'])
    t.strictSame(await complete('path', 'boat'), ['boats/A boat.md'])
    t.strictSame(await complete('since', '2026'), [])
  },
)
