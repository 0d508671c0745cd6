import t from 'tap'
import { openSafe } from './open.js'

t.test('many imports that wait for their turn are no leak to the process', async t => {
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const { add } = await openSafe(t)
  await Promise.all(Array.from({ length: 30 }, (_, at) => add(`${at}.csv`, `Ann,knows,person ${at}`)))
  await new Promise(resolve => setImmediate(resolve))
  t.same(warnings, [])
})
