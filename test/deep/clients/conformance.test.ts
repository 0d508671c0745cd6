import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import t from 'tap'
import { decide } from '../../e2e/browser.js'
import { listenWithSafes } from '../../e2e/service.js'
import { freePort } from '../../free-port.js'
import { buildService } from '../../integration/mcp/service.js'
import { addBearer, type Check, listScenarios, node, runSuite } from './conformance.js'

interface Exceptions {
  revisions: Record<string, string>
  scenarios: { reason: string; names: string[] }[]
  /** Within a scenario that otherwise applies. */
  checks: { reason: string; ids: string[] }[]
}

const exceptions: Exceptions = JSON.parse(
  readFileSync(new URL('conformance-exceptions.json', import.meta.url), 'utf8'),
)
const excepted = exceptions.scenarios.flatMap(({ names }) => names)
const exceptedChecks = exceptions.checks.flatMap(({ ids }) => ids)
const spoken = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const skip = node ? false : 'the conformance suite needs Node 22 or later'

const isBad = ({ status }: Check) => status !== 'SUCCESS' && status !== 'INFO'

t.test('N16 of the conformance suite each scenario runs, or is excepted with a reason', { skip }, async t => {
  const scenarios = await listScenarios()
  const known = [...spoken, ...Object.keys(exceptions.revisions)]
  const unheardOf = scenarios.flatMap(({ revisions }) => revisions).filter(one => !known.includes(one))
  t.same(unheardOf, [], 'every revision it tests is spoken here or excepted')
  const names = scenarios.map(({ name }) => name)
  t.same(
    excepted.filter(name => !names.includes(name)),
    [],
    'no exception is out of date',
  )
})

t.test(`N16 the official conformance suite finds no fault with the MCP endpoint`, { skip }, async t => {
  const { app, ann, harbour, issue } = await buildService(t)
  const bytes = Readable.from(['# Crane\n\nIt stands in the harbour.\n'])
  await app.safes.imports.add(ann, harbour, { source: 'Crane.md', bytes, commit: true })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const proxy = await addBearer(t, Number(port), (await issue(ann)).accessToken)
  const scenarios = await listScenarios()
  const failed = new Set<string>()
  for (const revision of spoken) {
    const due = scenarios.filter(one => one.revisions.includes(revision) && !excepted.includes(one.name))
    const args = ['server', '--suite', 'all', '--url', `${proxy}/mcp/v1`, '--spec-version', revision]
    const checks = await runSuite(t, args)
    for (const { name } of due) {
      const found = checks.filter(({ scenario }) => scenario === name)
      const faults = found.filter(check => isBad(check) && !exceptedChecks.includes(check.id))
      t.same(faults, [], `${revision} ${name}`)
      t.ok(found.some(({ status }) => status === 'SUCCESS'))
      for (const check of found) if (isBad(check)) failed.add(check.id)
    }
    const malformed = checks.filter(({ id, status }) => id === 'wire-schema-valid' && status === 'FAILURE')
    t.same(malformed, [], `${revision}: whatever is asked for, all that is said is well-formed`)
  }
  t.same(
    exceptedChecks.filter(id => !failed.has(id)),
    [],
    'no exception is out of date',
  )
})

t.test('the official conformance suite finds no fault with signing in', { skip }, async t => {
  const { app, baseUrl, page } = await listenWithSafes(t)
  const port = await freePort()
  const client = await app.oauth.clients.register({ redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const target = ['--url', baseUrl, '--resource', `${baseUrl}/mcp/v1`]
  const args = ['authorization', ...target, '--client-id', client.id, '--port', String(port)]
  const checks = await runSuite(t, args, async ({ says }) => {
    const url = await says(/^http\S+\/oauth\/authorize\S+(?=\n)/m)
    await decide(page, new URL(url))
  })
  t.same(checks.filter(isBad), [])
  const looked = checks.map(({ id }) => id)
  t.ok(looked.includes('authorization-server-metadata') && looked.includes('authorization-code-grant'))
})
