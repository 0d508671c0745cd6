import t from 'tap'
import { ask, fuzz } from '../deep/fuzz/fuzz.js'
import { plan } from '../deep/fuzz/mutations.js'
import { setUp } from '../helper.js'

// 50,000 of them, also over Redis and on sockets: test/deep/fuzz.
t.test('S4 random requests to every endpoint get a 4xx or a valid response', t =>
  fuzz(t, { name: 'random-requests', setUp, share: 0, requests: 120, plan, send: ask }),
)
