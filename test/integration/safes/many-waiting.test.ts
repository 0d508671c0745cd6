import { PassThrough } from 'node:stream'
import t from 'tap'
import { file, openSafe } from './open.js'

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

t.test('while one file of an account is read, 20 may wait', async t => {
  const { domain, id } = await openSafe(t)
  const start = async (account: string, safeId: string) => {
    const bytes = new PassThrough()
    await domain.imports.start(account, safeId, file('a.csv', bytes))
    return () => bytes.end('Ann,knows,Bo')
  }
  const ends = []
  for (let count = 0; count < 21; count++) ends.push(await start('ann', id))
  await t.rejects(start('ann', id), { status: 429, code: 'too_many_files' })
  t.equal((await domain.imports.list('ann', id)).length, 21)
  const { id: other } = await domain.create('bob', 'Of Bob')
  ends.push(await start('bob', other))
  for (const end of ends) end()
  await domain.idle()
  const end = await start('ann', id)
  end()
  await domain.idle()
})
