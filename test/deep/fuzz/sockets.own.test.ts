import t from 'tap'
import { fuzz, sendBytes } from './fuzz.js'
import { wire } from './sockets.js'

t.test('S4 malformed HTTP on real sockets gets a 4xx, a valid response or a closed connection', t => {
  return fuzz(t, {
    name: 'sockets',
    setUp: 'embedded',
    overSockets: true,
    share: 0.14,
    plan: wire,
    send: sendBytes,
  })
})
