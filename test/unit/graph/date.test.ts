import fc from 'fast-check'
import t from 'tap'
import { dateOf, periodOf } from '../../../engine/graph/text/date.js'
import { words } from '../../words.js'

t.test('a date keeps the precision in which it is given', async t => {
  const cases: [text: string, date: string, from: string, to: string][] = [
    ['2019', '2019', '2019-01-01T00:00:00.000Z', '2019-12-31T23:59:59.999Z'],
    [' 2019-12 ', '2019-12', '2019-12-01T00:00:00.000Z', '2019-12-31T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['0099-01-01', '0099-01-01', '0099-01-01T00:00:00.000Z', '0099-01-01T23:59:59.999Z'],
    ['-0044-03', '-0044-03', '-000044-03-01T00:00:00.000Z', '-000044-03-31T23:59:59.999Z'],
    ['+1952-03-11T00:00:00Z', '1952-03-11', '1952-03-11T00:00:00.000Z', '1952-03-11T23:59:59.999Z'],
    ['+1952-00-00T00:00:00Z', '1952', '1952-01-01T00:00:00.000Z', '1952-12-31T23:59:59.999Z'],
    ['1952-03-00', '1952-03', '1952-03-01T00:00:00.000Z', '1952-03-31T23:59:59.999Z'],
    ['2019-05-01Z', '2019-05-01', '2019-05-01T00:00:00.000Z', '2019-05-01T23:59:59.999Z'],
    ['2019-05-01T09:30Z', '2019-05-01T09:30Z', '2019-05-01T09:30:00.000Z', '2019-05-01T09:30:00.000Z'],
    [
      '2019-05-01 09:30:01.25+0200',
      '2019-05-01T09:30:01.25+02:00',
      '2019-05-01T07:30:01.250Z',
      '2019-05-01T07:30:01.250Z',
    ],
    [
      '2019-05-01T00:30-01:00',
      '2019-05-01T00:30-01:00',
      '2019-05-01T01:30:00.000Z',
      '2019-05-01T01:30:00.000Z',
    ],
    ['2019-05-01T00:00:00', '2019-05-01', '2019-05-01T00:00:00.000Z', '2019-05-01T23:59:59.999Z'],
  ]
  for (const [text, date, from, to] of cases) {
    t.equal(dateOf(text), date, text)
    t.equal(new Date(periodOf(date).from).toISOString(), from, `from ${date}`)
    t.equal(new Date(periodOf(date).to).toISOString(), to, `to ${date}`)
  }
})

t.test('what is no date is none', async t => {
  const bad = [
    '',
    'May',
    '19',
    '20190501',
    '2019-5',
    '2019-13',
    '2019-02-30',
    '2019-00-10',
    '2019-05-01T24:00Z',
  ]
  const more = words(`
    2019-05-01T09 2019-05-01T09:30.5Z 2019-05-01T09:30+25:00 12019-01-01 2019/05/01 ٢٠١٩
  `)
  for (const text of [...bad, ...more, '9'.repeat(10_000)]) t.equal(dateOf(text), null, text.slice(0, 30))
})

t.test('a date is read again as itself, and moments mean what Date says (property)', async t => {
  const moment = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, fc.constantFrom(4, 7, 10, 24), (time, length) => {
      const date = dateOf(time.toISOString().slice(0, length))
      if (date === null || dateOf(date) !== date) return false
      const { from, to } = periodOf(date)
      return from <= to && (length < 24 || (from <= time.getTime() && time.getTime() <= to))
    }),
    { examples: [[new Date('3390-05-15T00:39:16.060Z'), 24]] },
  )
  t.pass()
})
