import t, { type Test } from 'tap'
import { BackgroundWork } from '../../../domain/safes/background-work.js'
import { Counting } from '../../../domain/safes/counting.js'

const BEFORE = { entities: 3, relations: 2, passages: 1, documents: 1 }
const NOW = { entities: 5, relations: 4, passages: 3, documents: 2 }

/** A Safe at version 2 whose index is opened by `open`. */
function safeWith(t: Test, open: () => Promise<void>) {
  const { documents, ...found } = NOW
  const written: unknown[][] = []
  const errors: unknown[] = []
  const get = async () => {
    await open()
    return { committed: { version: 2 }, browse: () => ({ found }) }
  }
  const work = new BackgroundWork(error => t.fail(String(error)))
  const more = { work, onError: (error: unknown) => errors.push(error) }
  const setCounts = async (...values: unknown[]) => void written.push(values)
  const stores = { contents: {}, documents: { count: async () => documents }, safes: { setCounts } }
  const counting = new Counting({ ...stores, indexes: { get }, ...more } as never)
  const safe = { id: 'safe', name: 'Safe', role: 'owner', createdAt: 0, version: 2, counts: BEFORE } as const
  const list = async (isCounted = false, patienceMs = 1) =>
    (await counting.of([{ ...safe, isCounted }], { patienceMs }))[0]?.counts
  const listMany = (count: number, patienceMs: number) =>
    counting.of(
      Array.from({ length: count }, (_, i) => ({ ...safe, id: `safe ${i}`, isCounted: false })),
      { patienceMs },
    )
  return { list, listMany, written, errors, idle: () => work.idle() }
}

t.test('a list does not wait for a large index: it shows what the version before held (ADR 41)', async t => {
  let opened = () => {}
  let openings = 0
  const opening = new Promise<void>(resolve => (opened = resolve))
  const { list, written, idle } = safeWith(t, () => {
    openings++
    return opening
  })
  t.same(await list(), BEFORE)
  t.same(await list(), BEFORE)
  t.equal(openings, 1, 'whoever waits: it is opened once')
  const patient = list(false, 60_000)
  opened()
  t.same(await patient, NOW, 'the command line waits for it')
  await idle()
  t.same(written, [['safe', 2, NOW]], 'the next list finds it')
  t.same(await list(true), BEFORE, 'what is counted is not counted again')
  t.equal(openings, 1)
})

t.test(
  'counting many Safes lets other requests in, and a list without patience counts none (DESIGN §6)',
  async t => {
    const { listMany, written, idle } = safeWith(t, async () => {})
    const others: number[] = []
    const look = () => {
      others.push(written.length)
      if (written.length < 40) setImmediate(look)
    }
    setImmediate(look)
    await listMany(40, 60_000)
    t.ok(new Set(others).size >= 10, 'after four each')
    await listMany(5, 0)
    await idle()
    t.equal(written.length, 40)
  },
)

t.test('a Safe that cannot be counted does not keep a list from being shown', async t => {
  const { list, written, errors, idle } = safeWith(t, async () => {
    throw new Error('too large')
  })
  t.same(await list(), BEFORE)
  await idle()
  t.match(errors, [{ message: 'too large' }])
  t.same(written, [])
})
