import t from 'tap'
import { ask, fuzz } from './fuzz.js'
import { plan } from './mutations.js'

t.test('S4 whatever any endpoint is asked gets a 4xx or a valid answer, embedded', t =>
  fuzz(t, { name: 'embedded', share: 0.5, plan, send: ask }),
)
