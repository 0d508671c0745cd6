import t from 'tap'
import { ask, fuzz } from './fuzz.js'
import { plan } from './mutations.js'

t.test('S4 random requests to every endpoint get a 4xx or a valid response, embedded', t => {
  return fuzz(t, { name: 'embedded', setUp: 'embedded', share: 0.5, plan, send: ask })
})
