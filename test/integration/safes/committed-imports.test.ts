import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import type { Question } from '../../../domain/safes/safe.js'
import { hashSecret } from '../../../platform/common/secrets.js'
import { eventually, file, openSafe, people } from './open.js'

/** The index of one is built in the thread of requests, that of the other in its own thread. */
const SIZES = { small: 300, large: 2_600 }

const QUESTIONS: Question[] = [
  { query: 'Whom does Person 7 know?' },
  { query: 'Person 12' },
  { query: 'Persn 250' },
  { query: 'How is Person 3 connected with Person 5?' },
  { query: 'Zoe' },
  { mode: 'overview' },
  { mode: 'path', from: 'Person 1', to: 'Person 3' },
  { mode: 'walk', entities: ['Person 9'], steps: [{ relation: 'knows', direction: 'out' }] },
  { query: 'Who knows whom?', limit: 50 },
]

/** Other facts about the same people, a new name for one of them, and a new person. */
const MORE = [
  '<http://x/p7> <http://x/knows> <http://x/Zoe> .',
  '<http://x/p7> <http://www.w3.org/2004/02/skos/core#altLabel> "Zoe\'s friend" .',
  '<http://x/p3> <http://www.w3.org/2000/01/rdf-schema#comment> "Person 3 met Zoe in Person 5\'s garden." .',
].join('\n')

async function open(t: Test, count: number) {
  const opened = await openSafe(t)
  const { folder, id, add, ask } = opened
  await add('people.nt', people(count))
  const answers = async () => {
    const given = await Promise.all(QUESTIONS.map(ask))
    // A cursor holds the version of the Safe, which an undo raises.
    return given.map(answer => ({ ...answer, next_cursor: answer.next_cursor !== null }))
  }
  const snapshot = join(folder, 'indexes', id)
  /** A small Safe has none. */
  const index = () => (existsSync(snapshot) ? hashSecret(readFileSync(snapshot, 'latin1')) : null)
  return { ...opened, answers, index }
}

/** `strictSame` takes seconds for thousands of rows just to show the difference. */
function sameRows(t: Test, found: object, wanted: object) {
  if (isDeepStrictEqual(found, wanted)) t.pass('the same rows')
  else t.strictSame(found, wanted)
}

for (const [size, count] of Object.entries(SIZES)) {
  t.test(`${size}: the same file twice changes nothing (GRAPH §1)`, async t => {
    const { domain, dump, answers, index, add } = await open(t, count)
    const before = { ...(await dump()), answers: await answers(), index: index() }
    const again = await add('people.nt', people(count))
    t.equal(again.sameAs, 1)
    const { imports, ...after } = { ...(await dump()), answers: await answers(), index: index() }
    sameRows(t, { ...after, imports: imports.filter(({ id }) => id === 1) }, before)
    t.match(imports, [{ id: 1 }, { id: 2, status: 'failed', lease_expires_at: 0 }], 'its list says why')
    const other = await domain.create('ann', 'Other')
    const there = await domain.imports.add('ann', other.id, file('people.nt', people(count)))
    t.equal(there.status, 'committed', 'in another Safe it is new')
  })

  t.test(`${size}: undo brings back the rows and the answers that were there (GRAPH §1)`, async t => {
    const { domain, id, rows, answers, clock, add } = await open(t, count)
    const before = { rows: await rows(), answers: await answers() }
    await add('more.nt', MORE)
    t.notSame(await answers(), before.answers)
    await domain.imports.undo('ann', id, 2)
    t.strictSame(await eventually(answers, before.answers), before.answers)
    clock.now += 7 * 86_400_000 + 1
    domain.maintenance.sweep()
    await domain.idle()
    sameRows(t, await rows(), before.rows)
    await t.rejects(domain.imports.undo('ann', id, 2), { code: 'not_found' })
    t.equal((await add('more.nt', MORE)).id, 3, 'no number is used twice')
    await domain.imports.undo('ann', id, 3)
    t.strictSame(await eventually(answers, before.answers), before.answers)
  })
}
