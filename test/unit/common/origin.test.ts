import t from 'tap'
import { isLoopbackOrigin } from '../../../platform/common/origin.js'
import { isSameOrigin } from '../../../plugins/same-origin.js'

t.test(
  'C1 a form counts if a page of ours posted it, as far as the browser says (Fetch Metadata)',
  async t => {
    const [ours, local] = ['https://safes.example', 'http://localhost:3000']
    const cases: [isOurs: boolean, headers: Record<string, string>, base?: string][] = [
      [true, {}],
      [true, { origin: ours }],
      [true, { origin: ours, 'sec-fetch-site': 'same-origin' }],
      [true, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
      [true, { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }, local],
      [false, { origin: 'https://evil.example' }],
      [false, { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
      [false, { origin: 'http://safes.example' }],
      [false, { origin: 'null' }],
      [false, { origin: 'null', 'sec-fetch-site': 'none' }],
      [false, { 'sec-fetch-site': 'same-site' }],
      [false, { 'sec-fetch-site': 'cross-site' }],
      [false, { origin: ours, 'sec-fetch-site': 'cross-site' }],
      [false, { origin: local, host: 'localhost:3000' }],
      [false, { origin: 'http://127.0.0.1:3000', host: 'localhost:3000' }, local],
    ]
    for (const [isOurs, headers, base = ours] of cases)
      t.equal(isSameOrigin(headers, base), isOurs, JSON.stringify(headers))
  },
)

t.test('P9 an origin on the machine of the user is one of three names, with any port', async t => {
  const local = ['http://localhost', 'https://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:65535']
  for (const origin of local) t.ok(isLoopbackOrigin(origin), origin)
  const others = ['', 'null', 'https://evil.example', 'http://localhost.evil.example', 'ftp://localhost']
  for (const origin of [
    ...others,
    'http://localhost:1@evil.example',
    'http://localhost:123456',
    'http://127.0.0.2',
  ])
    t.notOk(isLoopbackOrigin(origin), origin)
})
