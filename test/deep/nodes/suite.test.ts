import t from 'tap'
import { install, NEWEST_LTS } from './node.js'

/** What runs once more on the newest LTS: unit tests, the stores over SQLite, Redis and Postgres, OAuth, MCP, pages, end to end. */
const SUITE = [
  'test/unit/share-*.ts',
  ...['accounts', 'http', 'load-shedding', 'mcp', 'oauth', 'sqlite', 'storage'].map(
    f => `test/integration/${f}/*.test.ts`,
  ),
  'test/e2e/*.test.ts',
]

t.test(`the tests of stores, OAuth, MCP and pages pass on Node ${NEWEST_LTS.major}`, async t => {
  const tap = 'node_modules/tap/dist/esm/run.mjs'
  const { run: start } = await install(t, NEWEST_LTS)
  const run = (args: string[]) => start([tap, ...args])
  await run(['build'])
  const result = await run(SUITE)
  const printed = `${result.stdout}${result.stderr}`
  const failed = printed.split('\n').filter(line => /^\s*not ok/.test(line))
  t.strictSame(failed, [])
  t.equal(result.code, 0, printed.slice(-2000))
  const [, passed = '0'] = /^# \{ total: (\d+)/m.exec(printed) ?? []
  t.ok(Number(passed) > 1000, `${passed} assertions`)
  t.comment(`${passed} assertions on Node ${NEWEST_LTS.major}`)
})
