import t from 'tap'
import { Zone } from '../../../routes/pages/system/zone.js'

t.test('days begin and times are shown in the zone of the reader', async t => {
  const at = Date.parse('2026-05-11T22:30:00Z')
  for (const [name, day, clock, start] of [
    ['Europe/Oslo', '2026-05-12', '00:30', '2026-05-11T22:00:00Z'],
    ['America/New_York', '2026-05-11', '18:30', '2026-05-12T04:00:00Z'],
    ['Asia/Kathmandu', '2026-05-12', '04:15', '2026-05-11T18:15:00Z'],
    ['', '2026-05-11', '22:30 UTC', '2026-05-12T00:00:00Z'],
    ['Mars/Olympus', '2026-05-11', '22:30 UTC', '2026-05-12T00:00:00Z'],
    ['+02:00', '2026-05-11', '22:30 UTC', '2026-05-12T00:00:00Z'],
  ] as const) {
    const zone = new Zone(name)
    t.equal(zone.dayOf(at), day, name)
    t.equal(zone.clockOf(at), clock, name)
    t.equal(zone.startOf('2026-05-12'), Date.parse(start), name)
  }
})

t.test('days on which the clocks change begin at midnight, too', async t => {
  const oslo = new Zone('Europe/Oslo')
  t.equal(oslo.startOf('2026-03-29'), Date.parse('2026-03-28T23:00:00Z'))
  t.equal(oslo.startOf('2026-03-30'), Date.parse('2026-03-29T22:00:00Z'))
  t.equal(oslo.startOf('2026-10-26'), Date.parse('2026-10-25T23:00:00Z'))
  t.ok(Number.isNaN(oslo.startOf('2026-02-31x')))
})
