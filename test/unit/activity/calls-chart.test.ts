import t from 'tap'
import { callsChart } from '../../../routes/pages/connections/calls-chart.js'

t.test('calls a day are drawn to scale, and said in words', async t => {
  t.equal(callsChart([]), null)
  t.equal(callsChart([0, 0, 0]), null)
  t.same(callsChart([1000, 0, 500, 1]), {
    title: 'Calls per day in the last 4 days',
    text: '1,501 calls in the last 4 days; most 3 days ago (1,000).',
    width: 38,
    height: 40,
    bars: [
      { x: 0, y: 0, width: 8, height: 40 },
      { x: 20, y: 20, width: 8, height: 20 },
      { x: 30, y: 38, width: 8, height: 2 },
    ],
  })
  t.match(callsChart([1, 1])?.text, 'most today')
  t.match(callsChart([2, 1])?.text, 'most yesterday')
})
