import t from 'tap'
import { HotRows } from '../../../domain/safes/ask/hot-rows.js'
import { search } from '../../../domain/safes/browse/search.js'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Indexes } from '../../../domain/safes/index/indexes.js'
import { Snapshots } from '../../../domain/safes/index/snapshot.js'
import { SafeStore } from '../../../domain/safes/stores/safe.sql.js'
import { eventually, file, openSafes, people } from './open.js'

t.test('S2 a membership that ends while Safes are searched shows nothing any more', async t => {
  const { domain, database, stores, folder, at } = await openSafes(t)
  const { id } = await domain.create('bob', 'People')
  await domain.imports.add('bob', id, file('people.nt', people(10)))
  await domain.members.share('bob', id, 'ann', 'reader')
  const thread = new IndexThread(at)
  const { contents } = stores
  const indexes = new Indexes({ contents, snapshots: new Snapshots(folder), thread, maxBytes: 1e9 })
  t.teardown(() => indexes.close())
  const rows = new HotRows(contents, 1e6)
  const most = { groups: 8, limit: 5 }
  const keys = async () => {
    const { things } = await search({ ...stores, indexes, rows }, 'ann', 'Person 7', most)
    return things.map(({ safe, things }) => [safe.id, ...things.map(({ key, name }) => `${key} ${name}`)])
  }
  const found = [[id, 'p7 Person 7']]
  t.strictSame(
    await eventually(keys, found),
    found,
    'a small Safe is opened, and found when it is open in time',
  )

  const ending = new Ending(database)
  ending.afterList = () => domain.members.unshare('bob', id, 'ann')
  t.strictSame((await search({ safes: ending, indexes, rows }, 'ann', 'Person 7', most)).things, [])
})

class Ending extends SafeStore {
  afterList = async () => {}

  override async readableBy(...asked: Parameters<SafeStore['readableBy']>) {
    const list = await super.readableBy(...asked)
    await this.afterList()
    return list
  }
}
