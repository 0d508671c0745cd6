import { PassThrough, Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { MAX_ROWS } from '../../../safes/stores/types.js'
import { file, openSafes, people } from './open.js'

const memory = [
  '{"type":"entity","name":"Ada Lovelace","entityType":"person","observations":["Wrote the first program."]}',
  '{"type":"entity","name":"Analytical Engine","entityType":"machine","observations":[]}',
  '{"type":"relation","from":"Ada Lovelace","to":"Analytical Engine","relationType":"wrote about"}',
].join('\n')

t.test('an import becomes visible whole and raises the version once (GRAPH §1)', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Engines')
  const done = await domain.import('ann', safe.id, file('memory.jsonl', memory))
  t.match(done, {
    id: 1,
    status: 'committed',
    format: 'jsonl',
    source: 'memory.jsonl',
    counts: { entities: 2, relations: 1, passages: 1 },
    bytesRead: memory.length,
    problem: null,
  })
  const [seen] = await domain.readableBy('ann')
  t.match(seen, { version: 1, counts: { entities: 2, relations: 1, passages: 1 } })
  t.match((await rows()).relations, [{ safe_id: safe.id, import_id: 1, id: 1, predicate: 'wrote about' }])
})

t.test('a bad line refuses the whole file and leaves nothing (DESIGN §7)', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Bad')
  const text = `${people(600)}\nthis is no triple\n${people(3)}`
  const done = await domain.import('ann', safe.id, file('people.nt', text))
  t.match(done, { status: 'failed', badLineCount: 1, badLines: [{ line: 1201 }] })
  t.match(done.problem, /^One line couldn’t be read; nothing was added\.$/)
  t.same(await rows(), { entities: [], aliases: [], passages: [], relations: [] })
  t.equal((await domain.find('ann', safe.id))?.version, 0)
  t.equal((await domain.findImport('ann', safe.id, 1))?.problem, done.problem)
})

t.test('a file of bad lines is not read to its end, and lets others have their turn', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Bad')
  const text = 'no triple\n'.repeat(100_000)
  const refused = await domain.import('ann', safe.id, file('people.nt', text))
  t.match(refused, { status: 'failed', badLineCount: 1000, problem: /stopped after 1000 bad lines/ })

  let [turns, reading] = [0, true]
  const count = () => {
    turns++
    if (reading) setImmediate(count)
  }
  count()
  const skipped = await domain.import('ann', safe.id, file('people.nt', text, { skipBad: true }))
  reading = false
  t.match(skipped, { status: 'failed', badLineCount: 100_000, problem: /nothing to import/ })
  t.ok(turns > 50, `others had ${turns} turns`)
  t.same((await rows()).relations, [])
})

t.test('skipBad leaves bad lines out, counts all and keeps the first 20', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Some bad')
  const text = `${people(2)}\n${'no triple\n'.repeat(30)}`
  const done = await domain.import('ann', safe.id, file('people.nt', text, { skipBad: true }))
  t.match(done, { status: 'committed', badLineCount: 30, counts: { entities: 3, relations: 2 } })
  t.equal(done.badLines.length, 20)
  t.equal(done.badLines[0]?.line, 5)
})

t.test('the same file again changes nothing; in another Safe it is new (GRAPH §1)', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Twice')
  await domain.import('ann', safe.id, file('a.nt', people(5)))
  const before = await rows()
  const again = await domain.import('ann', safe.id, file('b.nt', people(5)))
  t.equal(again.status, 'failed')
  t.match(again, { sameAs: 1, problem: /already contains this file, as import 1/ })
  t.same(await rows(), before)
  t.equal((await domain.find('ann', safe.id))?.version, 1)
  const other = await domain.create('ann', 'Other')
  t.equal((await domain.import('ann', other.id, file('a.nt', people(5)))).status, 'committed')
})

t.test('undo restores exactly what was there, and ids are never used twice', async t => {
  const { domain, rows, clock } = await openSafes(t)
  const safe = await domain.create('ann', 'Undo')
  await domain.import('ann', safe.id, file('a.nt', people(5)))
  const before = await rows()
  await domain.import('ann', safe.id, file('b.nt', people(700)))
  await domain.undoImport('ann', safe.id, 2)
  const seen = await domain.find('ann', safe.id)
  t.match(seen, { version: 3, counts: { entities: 6, relations: 5 } }, 'hidden at once')
  clock.now += 7 * 86_400_000 + 1
  domain.sweep()
  await domain.settled()
  t.same(await rows(), before, 'and gone after the time to restore it')
  t.match(await domain.imports('ann', safe.id), [{ id: 1 }])
  await t.rejects(domain.undoImport('ann', safe.id, 2), { code: 'not_found' })
  t.equal((await domain.import('ann', safe.id, file('b.nt', people(700)))).id, 3)
})

t.test('what a dead process left behind is swept when its lease ran out, not before (GRAPH §1)', async t => {
  const { domain, stores, clock, rows, dump } = await openSafes(t)
  const safe = await domain.create('ann', 'Killed')
  const report = { counts: { entities: 0, relations: 0, passages: 0 }, badLineCount: 0, badLines: [] }
  const begun = await stores.imports.begin(safe.id, {
    source: 'a.nt',
    format: 'ntriples',
    createdBy: 'ann',
    at: clock(),
    leaseUntil: clock() + 60_000,
    report: { ...report, problem: null, bytesRead: 0, bytesTotal: null },
  })
  const entities = Array.from({ length: 400 }, (_, i) => ({
    key: `k${i}`,
    name: `K${i}`,
    type: null,
    named: true,
  }))
  const batch = { entities, aliases: [], identities: [], passages: [], relations: [] }
  t.equal(await stores.imports.append(safe.id, begun.id, batch, { leaseUntil: clock() + 60_000 }), 400)

  const before = await dump()
  clock.now += 59_000
  domain.sweep()
  await domain.settled()
  t.same(await dump(), before, 'a running import is left alone')

  clock.now += 2000
  domain.sweep()
  await domain.settled()
  t.equal((await rows()).entities.length, 0)
  t.match(await domain.imports('ann', safe.id), [{ status: 'failed', problem: /in time/ }])
  t.equal(
    await stores.imports.append(safe.id, begun.id, batch, { leaseUntil: clock() + 60_000 }),
    null,
    'a process that wakes up late writes nothing',
  )
  t.equal((await rows()).entities.length, 0)
})

t.test('a staged import waits an hour for its owner’s confirmation', async t => {
  const { domain, clock, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Staged')
  const staged = await domain.import('ann', safe.id, file('a.nt', people(3), { commit: false }))
  t.equal(staged.status, 'staged')
  t.match(await domain.find('ann', safe.id), { version: 0, counts: { entities: 0 } }, 'nothing is visible')
  clock.now += 3_599_000
  domain.sweep()
  await domain.settled()
  t.equal((await domain.commitImport('ann', safe.id, staged.id)).status, 'committed')
  await t.rejects(domain.commitImport('ann', safe.id, staged.id), { code: 'not_staged' })
  t.match(await domain.find('ann', safe.id), { version: 1, counts: { entities: 4 } })

  const late = await domain.import('ann', safe.id, file('b.nt', people(4), { commit: false }))
  const before = await rows()
  clock.now += 3_601_000
  domain.sweep()
  await domain.settled()
  await t.rejects(domain.commitImport('ann', safe.id, late.id), { code: 'not_staged' })
  t.equal((await rows()).entities.length, before.entities.length - 5)
})

t.test('an interrupted clean-up is continued', async t => {
  const { domain, stores, clock, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Half dropped')
  await domain.import('ann', safe.id, file('a.nt', people(600)))
  await stores.imports.undo(safe.id, 1, 0, clock() + 60_000)
  t.ok(await stores.imports.dropSome(safe.id, [1, 1], clock() + 60_000))
  const left = await rows()
  t.equal(left.entities.length + left.relations.length, 601 + 600 - MAX_ROWS)
  clock.now += 61_000
  domain.sweep()
  await domain.settled()
  t.same(await rows(), { entities: [], aliases: [], passages: [], relations: [] })
})

t.test('a stated name wins over an implied one in either order; further names become aliases', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Names')
  const label = '<http://www.w3.org/2000/01/rdf-schema#label>'
  const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  // Far more rows than one transaction holds lie between what is said of `a` and `b`.
  const text = [
    `<http://x/a> ${label} "Ada" .`,
    '<http://x/a> <http://x/knows> <http://x/b> .',
    people(400),
    `<http://x/a> ${type} <http://x/person> .`,
    `<http://x/a> ${label} "Countess" .`,
    `<http://x/b> ${label} "Babbage" .`,
  ].join('\n')
  t.equal((await domain.import('ann', safe.id, file('names.nt', text))).counts.entities, 403)
  const { entities, aliases } = await rows()
  const named = (key: string) => entities.find(row => row.key === key)
  t.match(named('a'), { name: 'Ada', type: 'person' })
  t.match(named('b'), { name: 'Babbage', type: null })
  t.match(aliases, [{ entity_key: 'a', alias: 'Countess' }])
})

t.test('what a file says twice is written once', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Twice said')
  const alias = '<http://x/p0> <http://www.w3.org/2004/02/skos/core#altLabel> "Zero" .'
  const text = `${people(3)}\n${alias}\n${people(3)}\n${alias}`
  const done = await domain.import('ann', safe.id, file('a.nt', text))
  t.match(done.counts, { entities: 4, relations: 3 })
  t.match([(await rows()).relations.length, (await rows()).aliases.length], [3, 1])
})

t.test('no transaction adds or drops more than 500 rows (GRAPH §1)', async t => {
  const { domain, stores } = await openSafes(t)
  const safe = await domain.create('ann', 'Small steps')
  const sizes: number[] = []
  const append = stores.imports.append.bind(stores.imports)
  stores.imports.append = (safeId, importId, rows, lease) => {
    sizes.push(Object.values(rows).reduce((sum, list) => sum + list.length, 0))
    return append(safeId, importId, rows, lease)
  }
  await domain.import('ann', safe.id, file('a.nt', people(2000)))
  t.ok(sizes.length > 7 && Math.max(...sizes) <= MAX_ROWS, `${sizes}`)
})

t.test('a file that breaks off, is empty or is no text fails and leaves nothing', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Broken')
  async function* broken() {
    yield Buffer.from(`${people(600)}\n`)
    throw new Error('connection reset')
  }
  const cases: [Readable | string, RegExp][] = [
    [Readable.from(broken()), /interrupted/],
    ['', /nothing to import/],
    [`${people(1)}\n\0`, /NUL/],
  ]
  for (const [text, problem] of cases) {
    const done = await domain.import('ann', safe.id, file('a.nt', text))
    t.equal(done.status, 'failed')
    t.match(done.problem, problem)
  }
  t.same(await rows(), { entities: [], aliases: [], passages: [], relations: [] })
  t.equal((await domain.find('ann', safe.id))?.version, 0)
})

t.test('an unknown format is refused before anything is written', async t => {
  const { domain, dump } = await openSafes(t)
  const safe = await domain.create('ann', 'Format')
  const before = await dump()
  await t.rejects(domain.import('ann', safe.id, file('a.exe', 'x')), { status: 400, code: 'unknown_format' })
  await t.rejects(domain.import('ann', safe.id, file('a.nt', 'x', { format: 'word' })), {
    code: 'unknown_format',
  })
  t.same(await dump(), before)
})

t.test('removing a Safe while a file is read into it ends the import and drops everything', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Removed')
  const slow = new PassThrough()
  const begun = await domain.startImport('ann', safe.id, file('a.nt', slow))
  t.equal(begun.status, 'staging')
  slow.write(`${people(600)}\n`)
  while ((await rows()).entities.length === 0) await pause(5)
  await domain.remove('ann', safe.id)
  slow.end(people(900))
  await domain.settled()
  t.same(await rows(), { entities: [], aliases: [], passages: [], relations: [] })
  t.same(await domain.readableBy('ann'), [])
})

t.test('closing the service aborts an import, which reports it', async t => {
  const { domain, stores, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Closed')
  const slow = new PassThrough()
  slow.write(people(1))
  await domain.startImport('ann', safe.id, file('a.nt', slow))
  await domain.close()
  t.match(await stores.imports.list(safe.id), [{ status: 'failed', problem: /interrupted|stopped/ }])
  t.equal((await rows()).entities.length, 0)
})

t.test('the sample Safe is filled with what ships in sample/', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.createSample('ann')
  const [seen] = await domain.readableBy('ann')
  t.match(seen, { id: safe.id, version: 1, role: 'owner' })
  t.ok(seen && seen.counts.entities > 10 && seen.counts.relations > 10 && seen.counts.passages > 10)
  t.match(await domain.imports('ann', safe.id), [{ status: 'committed', badLineCount: 0 }])
})

t.test('what fails after an import was committed does not report it as failed', async t => {
  const { domain, stores, at, database } = await openSafes(t, { onError: () => {} })
  const { id } = await domain.create('ann', 'Home')
  const { find, commit } = stores.imports
  let committed = false
  stores.imports.commit = async function (...given) {
    const result = await commit.apply(this, given)
    committed = true
    return result
  }
  stores.imports.find = async function (...given) {
    if (committed) throw new Error('the database went away')
    return find.apply(this, given)
  }
  const outcome = await domain.import('ann', id, file('a.nt', '<http://x/a> <http://x/knows> <http://x/b> .'))
  t.match(outcome, { status: 'committed', counts: { relations: 1 } })
  const [row] = await database.read.selectFrom('imports').select('status').execute()
  t.equal(row?.status, 'committed', at.dataDir)
})
