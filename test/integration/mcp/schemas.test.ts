import { Readable } from 'node:stream'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { buildService, fill } from './service.js'

const { app, ann, bob, harbour, garden, issue, poster } = await buildService(t)
await fill(app, ann, harbour)
const works = { type: 'relation', from: 'Ada', to: 'Bell', relationType: 'works for' }
const dated = JSON.stringify({ ...works, validFrom: '2018-06', learnedOn: '2024-01-31' })
const file = { source: 'dated.jsonl', bytes: Readable.from([dated]), commit: true }
await app.safes.imports.add(ann, harbour, file)
const user = poster(await issue(ann))
const listed = async (client = user) =>
  (await client.send(rpc(1, 'tools/list'), { 'mcp-protocol-version': '2025-06-18' })).body

t.test('X9 the answers of every mode are as outputSchema says', async t => {
  const svc = JSON.parse(await listed()).result.tools.find(({ name }: { name: string }) => name === 'svc')
  const valid = new AjvJsonSchemaValidator().getValidator(svc.outputSchema)
  for (const args of [
    { query: 'Ada' },
    { query: 'nothing like it' },
    { query: 'x', safe: garden },
    { mode: 'entity', query: 'Ada' },
    { from: 'Ada', to: 'Harbour' },
    { entities: ['Ada'], steps: [{ relation: 'works' }] },
    {},
    { since: '2020-01-01' },
    { query: 'Ada', as_of: '2019' },
  ]) {
    const { structuredContent } = await user.tool('svc', { safe: harbour, ...args })
    t.ok(valid(structuredContent).valid, JSON.stringify(args))
  }
})

t.test('R8 schemas have no alternatives or references, and inputs no null', async t => {
  const all = poster(await issue(ann, { mayPropose: true, hasSearch: true }))
  const { tools } = JSON.parse(await listed(all)).result
  t.equal(tools.length, 6)
  for (const { name, inputSchema, outputSchema } of tools) {
    t.notMatch(JSON.stringify([inputSchema, outputSchema]), /"(anyOf|oneOf|allOf|\$ref|const)":/, name)
    t.notMatch(JSON.stringify(inputSchema), /"null"|:null/, name)
  }
})

t.test('X11 tools/list is byte for byte the same for every connection', async t => {
  const connections = [
    poster(await issue(bob)),
    poster(await issue(ann, { chosenSafeIds: [harbour], onlyChosenSafe: true })),
    poster(await issue(ann, {}, { safeId: harbour }), `/mcp/v1/${harbour}`),
    poster(await issue(ann, { resourceSent: false, chosenSafeIds: [harbour] }), `/mcp/v1/${harbour}`),
    poster(await issue(ann, {}, { safeId: '0'.repeat(22) }), `/mcp/v1/${'0'.repeat(22)}`),
  ]
  for (const connection of connections) t.equal(await listed(connection), await listed())
})
