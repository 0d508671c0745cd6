import { readFileSync } from 'node:fs'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import t from 'tap'
import { version } from '../../../platform/common/package.js'
import { API, BASE, buildApi, fill, sha256 } from './service.js'

type Operation = {
  summary: string
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
type Paths = Record<string, Record<string, Operation>>

const validator = new AjvJsonSchemaValidator()

/** The problem of a value, or null if it fits the schema. */
function problemOf(schema: object | undefined, value: unknown): string | null {
  if (!schema) return 'there is no schema'
  const { valid, errorMessage } = validator.getValidator(schema)(value)
  return valid ? null : (errorMessage ?? 'not valid')
}

/** The schema without members beyond those it names. */
const closed = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_key, part) =>
    part?.type === 'object' && part.properties ? { ...part, additionalProperties: false } : part,
  )

const answer = (paths: Paths, path: string, method: string, status: number) =>
  closed(paths[`${API}${path}`]?.[method]?.responses[status]?.content?.['application/json']?.schema ?? {})

t.test('the description lists every route, and needs no token (OpenAPI 3.1)', async t => {
  const { app } = await buildApi(t)
  const reply = await app.inject(`${API}/openapi.json`)
  t.equal(reply.statusCode, 200)
  t.match(reply.headers['content-type'], 'application/json')
  t.equal(reply.headers['access-control-allow-origin'], '*')
  const { openapi, info, servers, paths, components } = reply.json()
  t.equal(openapi, '3.1.0')
  t.equal(info.version, version)
  t.same(servers, [{ url: BASE }])
  const listed = Object.entries(paths as Paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path.slice(API.length)}`),
  )
  t.same(listed.sort(), [
    'DELETE /safes/{safe}/imports/{import}',
    'DELETE /safes/{safe}/sync-runs/{run}',
    'DELETE /safes/{safe}/uploads/{upload}',
    'GET /safes',
    'GET /safes/{safe}/export',
    'GET /safes/{safe}/imports/{import}',
    'GET /safes/{safe}/notes',
    'GET /safes/{safe}/sync-runs/{run}',
    'HEAD /safes/{safe}/uploads/{upload}',
    'PATCH /safes/{safe}/uploads/{upload}',
    'POST /safes/{safe}/ask',
    'POST /safes/{safe}/imports',
    'POST /safes/{safe}/imports/{import}/commit',
    'POST /safes/{safe}/imports/{import}/restore',
    'POST /safes/{safe}/sync-runs',
    'POST /safes/{safe}/sync-runs/{run}/contents',
    'POST /safes/{safe}/sync-runs/{run}/finish',
    'POST /safes/{safe}/uploads',
  ])
  t.match(components.securitySchemes.oauth.flows.authorizationCode.scopes, { 'vault:write': String })
  t.notMatch(reply.body, /"\$ref"/, 'complete in itself')
})

t.test('the examples of docs/api.md are as described', async t => {
  const { app } = await buildApi(t)
  const paths: Paths = (await app.inject(`${API}/openapi.json`)).json().paths
  const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const examples = [...text.matchAll(/```json\n([^`]*)```/g)].map(([, json = '']) => JSON.parse(json))
  const problem = paths[`${API}/safes`]?.get?.responses.default?.content?.['application/problem+json']?.schema
  const schemas = [
    closed(problem ?? {}),
    answer(paths, '/safes', 'get', 200),
    answer(paths, '/safes/{safe}/ask', 'post', 200),
    answer(paths, '/safes/{safe}/imports', 'post', 202),
    answer(paths, '/safes/{safe}/sync-runs', 'post', 201),
    answer(paths, '/safes/{safe}/sync-runs/{run}/finish', 'post', 200),
  ]
  t.equal(examples.length, schemas.length)
  for (const [at, example] of examples.entries())
    t.equal(problemOf(schemas[at], example), null, JSON.stringify(example).slice(0, 60))
  const bodies = [...text.matchAll(/curl "\$BASE([^"?]*)"[^\n]*--json '([^']*)'/g)]
  t.ok(bodies.length >= 2)
  for (const [, path = '', json = ''] of bodies) {
    const operation = paths[`${API}${path.replace('$SAFE', '{safe}')}`]?.post
    t.equal(
      problemOf(operation?.requestBody?.content['application/json']?.schema, JSON.parse(json)),
      null,
      json,
    )
  }
})

t.test('what the API answers is as described', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  await fill(app, ann, harbour)
  const paths: Paths = (await app.inject(`${API}/openapi.json`)).json().paths
  const { get, post, send, upload, imported } = await program(ann)
  const fits = (value: unknown, path: string, method = 'post', status = 200) =>
    t.equal(problemOf(answer(paths, path, method, status), value), null, `${method} ${path} ${status}`)
  const one = `/safes/${harbour}`
  fits((await get('/safes')).json(), '/safes', 'get')
  for (const question of [
    { query: 'Ada' },
    {},
    { entities: ['Ada'] },
    { recent: true, since: '2020-01-01' },
    { query: 'Ada', where: { 'works on': ['Harbour project', 'x'] } },
    { from: 'Ada', to: 'Harbour project' },
  ])
    fits((await post(`${one}/ask`, question)).json(), '/safes/{safe}/ask')
  const lamp = (name: string) =>
    JSON.stringify({ type: 'entity', name, entityType: 'thing', observations: [] })
  const content = `${lamp('Lamp')}\n${lamp('lamp')}\nnonsense`
  const uploads = [await upload(harbour, 'a.jsonl', content)]
  const begun = (await post(`${one}/imports`, { uploads, skip_bad: true, commit: false })).json()
  fits(begun, '/safes/{safe}/imports', 'post', 202)
  const staged = await imported(harbour, begun.id)
  t.match(staged, { documents: 1, merged_names: { count: 1, examples: [['Lamp', 'lamp']] } })
  fits(staged, '/safes/{safe}/imports/{import}', 'get')
  const run = (
    await send(`${one}/sync-runs?name=n`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      payload: JSON.stringify({ path: 'a.md', size: 1, sha256: sha256('a') }),
    })
  ).json()
  fits(run, '/safes/{safe}/sync-runs', 'post', 201)
  const used = [await upload(harbour, 'a.md', 'a')]
  const contents = (await post(`${one}/sync-runs/${run.id}/contents`, { uploads: used })).json()
  fits(contents, '/safes/{safe}/sync-runs/{run}/contents')
  fits((await post(`${one}/sync-runs/${run.id}/finish`, {})).json(), '/safes/{safe}/sync-runs/{run}/finish')
  fits((await get(`${one}/imports/3`)).json(), '/safes/{safe}/imports/{import}', 'get')
  const problem = paths[`${API}/safes`]?.get?.responses.default?.content?.['application/problem+json']?.schema
  t.equal(problemOf(closed(problem ?? {}), (await get('/safes/x/export')).json()), null)
})
