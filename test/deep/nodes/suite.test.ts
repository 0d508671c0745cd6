import t from 'tap'
import { install, NEWEST_LTS } from './node.js'

/** Also runs on the newest LTS: unit tests, the stores over SQLite, Redis and Postgres, OAuth, MCP, end to end. */
const SUITE = [
  'test/unit/',
  ...['accounts', 'http', 'mcp', 'oauth', 'sqlite', 'storage'].map(folder => `test/integration/${folder}/`),
  'test/e2e/',
]

t.test(`the tests of stores, OAuth and MCP pass on Node ${NEWEST_LTS.major}`, async t => {
  const { run } = await install(t, NEWEST_LTS)
  const { code, stdout, stderr } = await run(['test/run/main.mjs', ...SUITE])
  t.equal(code, 0, `${stdout}${stderr}`.slice(-5000))
  const [, passed = '0'] = /^(\d+) passed, 0 failed/m.exec(stdout) ?? []
  t.ok(Number(passed) > 1000, `${passed} assertions`)
})
