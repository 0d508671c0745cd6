import t from 'tap'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { dataDir } from '../../data-dir.js'
import { file, openSafes, people } from '../safes/open.js'
import { answerOf, openFilled, processes, QUESTION, snapshots } from './shared-index.js'

/** Large enough that the thread opens it. */
const MANY = 2_600

t.test('an index that one process has built is loaded by the others, and answers alike', async t => {
  const opened = await openSafes(t, { over: 'postgres' })
  const { domain, database } = opened
  const { id } = await domain.create('ann', 'People')
  await domain.imports.add('ann', id, file('people.nt', people(MANY)))
  const process = processes(t, opened, id)
  const { facts } = await domain.questions.ask('ann', id, { query: QUESTION.query })
  const second = process()
  const found = await second.open()
  t.equal(found.from, 'shared')
  t.same(
    (await answerOf(found)).slice(0, facts.length),
    facts.map(fact => fact.id),
  )
  t.equal((await second.open()).from, 'file', 'the next time it has a file')

  for (const name of ['Zoe', 'Yan', 'Xan'])
    await domain.imports.add(
      'ann',
      id,
      file(`${name}.nt`, `<http://x/p7> <http://x/knows> <http://x/${name}> .`),
    )
  const newest = await process().open()
  t.equal(newest.from, 'changes', 'few rows are added to the one before')
  t.equal((await answerOf(newest)).filter(ref => !ref.startsWith('f1.')).length, 3)
  t.equal((await snapshots(database.read)).length, 1, 'nothing was built')
  const complete = await process().open({ isComplete: true })
  t.equal(complete.from, 'rows')
  t.same((await answerOf(complete)).sort(), (await answerOf(newest)).sort())
  t.equal((await process().open()).from, 'shared')
  t.equal((await snapshots(database.read)).length, 2, 'of older ones one is kept')
})

t.test('while another process builds, a thread does other work, and waits only for some time', async t => {
  const { id, at, process, db } = await openFilled(t)
  await db.deleteFrom('index_parts').execute()
  const rest = { parts: 0, building_until: Date.now() + 600_000 }
  await db.updateTable('index_snapshots').set(rest).execute()
  const thread = new IndexThread({ ...at, dataDir: dataDir(t) })
  t.teardown(() => thread.close())
  let isOpen = false
  const opening = thread.open(id).finally(() => {
    isOpen = true
  })
  await t.rejects(thread.open('none'), /no such Safe|not found/i)
  t.notOk(isOpen, 'a thread does other work while it waits')
  await db.updateTable('index_snapshots').set({ building_until: 1 }).execute()
  t.equal((await opening).from, 'rows', 'the process that began may have died')
  t.match(await snapshots(db), [{ building_until: 0 }])
  t.equal((await process().open()).from, 'shared')
})
