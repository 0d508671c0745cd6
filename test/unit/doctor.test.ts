import t from 'tap'
import { reasonOf, worst } from '../../domain/doctor/finding.js'
import { isProbe, probePath } from '../../domain/doctor/probe.js'
import { mac } from '../../platform/common/secrets.js'

const MINUTE = 60_000
const keyFor = (key: string) => (purpose: string) => mac(Buffer.from(key), purpose)

t.test('a probe is for this installation, and for a quarter of an hour', async t => {
  const now = Date.UTC(2026, 0, 1)
  const probe = probePath(keyFor('ours'), now).replace('/doctor/', '')
  t.ok(isProbe(keyFor('ours'), probe, now))
  t.ok(isProbe(keyFor('ours'), probe, now + 14 * MINUTE))
  t.ok(isProbe(keyFor('ours'), probe, now - 14 * MINUTE))
  t.notOk(isProbe(keyFor('ours'), probe, now + 15 * MINUTE))
  t.notOk(isProbe(keyFor('theirs'), probe, now))
  t.notOk(isProbe(keyFor('ours'), probe.replace(/^\d+/, `${now + 1}`), now))
  for (const text of ['', '1', `${now}.`, `${now}.${'é'.repeat(43)}`, `.${'a'.repeat(43)}`])
    t.notOk(isProbe(keyFor('ours'), text, now), text)
})

t.test('the level of a check is its worst', async t => {
  t.equal(worst([]), 'ok')
  t.equal(worst(['note', 'problem', 'warning']), 'problem')
  t.equal(worst(['warning', 'note']), 'warning')
})

t.test('a reason is that of whoever failed first', async t => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
  t.equal(reasonOf(new Error('outer', { cause: new AggregateError([refused], 'all') })), 'ECONNREFUSED')
  t.equal(reasonOf('text'), 'text')
})
