import t from 'tap'
import { ask, fuzz } from './fuzz.js'
import { plan } from './mutations.js'

t.test('S4 random requests to every endpoint get a 4xx or a valid response, over Redis', t => {
  return fuzz(t, { name: 'redis', setUp: 'redis', share: 0.36, plan, send: ask })
})
