import t from 'tap'
import { timeText } from '../../../domain/safes/ask/time-text.js'

t.test('a time is written as a date or a moment in UTC (ISO 8601)', async t => {
  const day = Date.UTC(2026, 4, 1)
  t.equal(timeText(day), '2026-05-01')
  t.equal(timeText(day + 1), '2026-05-01T00:00:00.001Z')
  t.equal(timeText(day + 1000), '2026-05-01T00:00:01Z')
  t.equal(timeText(-8.64e15), '-271821-04-20')
})
