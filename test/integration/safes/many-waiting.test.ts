import t from 'tap'
import { file, openSafes } from './open.js'

t.test('many imports that wait for their turn are no leak to the process', async t => {
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Harbour')
  const imports = Array.from({ length: 30 }, (_, at) =>
    domain.import('ann', id, file(`${at}.csv`, `Ann,knows,person ${at}`)),
  )
  await Promise.all(imports)
  await new Promise(resolve => setImmediate(resolve))
  t.same(warnings, [])
})
