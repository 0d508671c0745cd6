import t from 'tap'
import { openCursor, sealCursor } from '../../../domain/safes/ask/cursor.js'

t.test('a cursor goes on with the same question at the same version', async t => {
  t.equal(openCursor(sealCursor(3, 'who?', 20), 3, 'who?'), 20)
})

t.test('any other cursor is refused with what to do (GRAPH §5)', async t => {
  const expired = { code: 'cursor_expired' }
  t.throws(() => openCursor(sealCursor(3, 'who?', 20), 4, 'who?'), { ...expired, message: /has changed/ })
  t.throws(() => openCursor(sealCursor(3, 'who?', 20), 3, 'what?'), {
    ...expired,
    message: /another question/,
  })
  const forged = [-1, 1.5, '1', null, 1e99].map(offset =>
    Buffer.from(JSON.stringify([3, sealCursor(3, 'who?', 0), offset])).toString('base64url'),
  )
  for (const cursor of ['', 'x', '%%%', 'bnVsbA', 'WzFd', '\0', 'A'.repeat(9000), ...forged]) {
    t.throws(() => openCursor(cursor, 3, 'who?'), expired, cursor.slice(0, 20))
  }
})
