import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { buildService, fill } from './service.js'

interface Listed {
  name: string
  title: string
  description: string
  inputSchema: { type: string; additionalProperties: boolean; properties: Record<string, Property> }
  outputSchema?: { type: string }
  annotations: Record<string, unknown>
}
interface Property {
  description?: string
  examples?: unknown[]
}

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']
const validator = new AjvJsonSchemaValidator()

const HINTS = {
  svc_list_safes: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  svc_select_safe: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  svc: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

const { app, ann, bob, harbour, garden, issue, poster } = await buildService(t)
await fill(app, ann, harbour)
const user = poster(await issue(ann))
const listed = async (revision: string, client = user) =>
  (await client.send(rpc(1, 'tools/list'), { 'mcp-protocol-version': revision })).body

for (const revision of REVISIONS) {
  const isStructured = revision > '2025-03-26'
  const headers = { 'mcp-protocol-version': revision }

  t.test(`X9 what tools/list says of each tool in ${revision}`, async t => {
    const tools: Listed[] = JSON.parse(await listed(revision)).result.tools
    t.same(
      tools.map(({ name }) => name),
      Object.keys(HINTS),
    )
    for (const { name, title, description, inputSchema, outputSchema, annotations, ...more } of tools) {
      t.same(Object.keys(more), revision === '2025-11-25' ? ['icons'] : [], `${name}: nothing else`)
      t.ok(title.length > 3 && description.length > 100, name)
      t.strictSame(annotations, { title, ...HINTS[name as keyof typeof HINTS] }, `${name}: hints`)
      t.match(inputSchema, { type: 'object', additionalProperties: false }, `${name}: closed`)
      t.equal(outputSchema?.type, isStructured ? 'object' : undefined, `${name}: outputSchema`)
      for (const [field, property] of Object.entries(inputSchema.properties)) {
        t.ok(property.description && property.description.length > 10, `${name}.${field} is described`)
        t.ok(property.examples?.length, `${name}.${field} has an example`)
        const valid = validator.getValidator({ ...property } as never)
        for (const example of property.examples ?? []) {
          t.ok(valid(example).valid, `${name}.${field} may be ${example}`)
        }
      }
    }
  })

  t.test(`X9 results in ${revision}: always text, ${isStructured ? 'and' : 'not'} structured`, async t => {
    const tools: Listed[] = JSON.parse(await listed('2025-06-18')).result.tools
    const args: Record<string, object[]> = {
      svc_list_safes: [{}],
      svc_select_safe: [{ safe: harbour }, { safe: 'Garden' }],
      svc: [
        { query: 'Ada', safe: harbour },
        { query: 'nothing like it', safe: harbour },
        { query: 'x', safe: garden },
        { mode: 'entity', query: 'Ada', safe: harbour },
        { from: 'Ada', to: 'Harbour', safe: harbour },
        { entities: ['Ada'], steps: [{ relation: 'works' }], safe: harbour },
        { safe: harbour },
        { since: '2020-01-01', safe: harbour },
      ],
    }
    for (const { name, outputSchema } of tools) {
      const valid = validator.getValidator(outputSchema as never)
      for (const given of args[name] ?? []) {
        const { content, structuredContent, ...more } = await user.tool(name, given as never, headers)
        t.same(more, {}, `${name}: nothing else`)
        t.match(content, [{ type: 'text', text: /\S/ }])
        t.equal(content.length, 1)
        t.equal(structuredContent !== undefined, isStructured, name)
        if (isStructured) t.ok(valid(structuredContent).valid, `${name}: as its outputSchema says`)
      }
      const refused = await user.tool(name, { cursor: 7, query: 7, safe: 7 }, headers)
      t.match(refused, { isError: true, content: [{ type: 'text', text: /should be text/ }] })
      t.notOk('structuredContent' in refused, 'a refusal has no structured form')
    }
  })
}

t.test('X11 tools/list is byte for byte the same for every connection', async t => {
  const connections = [
    poster(await issue(bob)),
    poster(await issue(ann, { chosenSafeIds: [harbour], onlyChosenSafe: true })),
    poster(await issue(ann, {}, { safeId: harbour }), `/mcp/v1/${harbour}`),
    poster(await issue(ann, { resourceSent: false, chosenSafeIds: [harbour] }), `/mcp/v1/${harbour}`),
    poster(await issue(ann, {}, { safeId: '0'.repeat(22) }), `/mcp/v1/${'0'.repeat(22)}`),
  ]
  for (const revision of REVISIONS) {
    const expected = await listed(revision)
    for (const connection of connections) t.equal(await listed(revision, connection), expected)
  }
})
