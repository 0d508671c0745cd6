import { PassThrough, Readable } from 'node:stream'
import t from 'tap'
import { MAX_ROWS } from '../../../domain/safes/stores/types.js'
import { importReads } from '../../../platform/common/events.js'
import { entity, lines, relation } from '../../jsonl.js'
import { until } from '../../until.js'
import { zip } from '../../zip.js'
import { file, NO_ROWS, openSafe, people } from './open.js'

const memory = lines(
  entity('Ada Lovelace', 'person', 'Wrote the first program.'),
  entity('Analytical Engine', 'machine'),
  relation('Ada Lovelace', 'wrote about', 'Analytical Engine'),
)

t.test('an import becomes visible whole and raises the version once (GRAPH §1)', async t => {
  const { domain, rows, id, add } = await openSafe(t)
  const read: string[] = []
  t.teardown(importReads.subscribe(({ kind, result }) => read.push(`${kind} ${result}`)))
  const done = await add('memory.jsonl', memory)
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
  t.match((await rows()).relations, [{ safe_id: id, import_id: 1, id: 1, predicate: 'wrote about' }])
  await add('more.nt', people(1), { commit: false })
  await add('bad.nt', 'no triple')
  t.strictSame(read, ['file committed', 'file staged', 'file failed'], 'what measures it is told')
})

t.test('a bad line refuses the whole file and leaves nothing (DESIGN §7)', async t => {
  const { domain, rows, id, add } = await openSafe(t)
  const text = `${people(600)}\nthis is no triple\n${people(3)}`
  const done = await add('people.nt', text)
  t.match(done, { status: 'failed', badLineCount: 1, badLines: [{ line: 1201 }] })
  t.match(done.problem, /^1 line could not be read; nothing was added\.$/)
  t.same(await rows(), NO_ROWS)
  t.equal((await domain.find('ann', id))?.version, 0)
  t.equal((await domain.imports.find('ann', id, 1))?.problem, done.problem)
})

t.test('a file of bad lines is not read to its end, and lets others have their turn', async t => {
  const { rows, add } = await openSafe(t)
  const text = 'no triple\n'.repeat(10_000)
  const refused = await add('people.nt', text)
  t.match(refused, { status: 'failed', badLineCount: 1000, problem: /stopped after 1000 bad lines/ })

  let [turns, reading] = [0, true]
  const count = () => {
    turns++
    if (reading) setImmediate(count)
  }
  count()
  const skipped = await add('people.nt', text, { skipBad: true })
  reading = false
  t.match(skipped, { status: 'failed', badLineCount: 10_000, problem: /nothing to import/ })
  t.ok(turns > 50, `others had ${turns} turns`)
  t.same((await rows()).relations, [])
})

t.test('skipBad leaves bad lines out, counts all and keeps the first 20', async t => {
  const { add } = await openSafe(t)
  const text = `${people(2)}\n${'no triple\n'.repeat(30)}`
  const done = await add('people.nt', text, { skipBad: true })
  t.match(done, { status: 'committed', badLineCount: 30, counts: { entities: 3, relations: 2 } })
  t.equal(done.badLines.length, 20)
  t.equal(done.badLines[0]?.line, 5)
})

t.test('what a dead process left behind is swept when its lease ran out, not before (GRAPH §1)', async t => {
  const { domain, stores, clock, rows, dump, id } = await openSafe(t)
  const report = { counts: { entities: 0, relations: 0, passages: 0 }, badLineCount: 0, badLines: [] }
  const begun = await stores.imports.begin(id, {
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
  const batch = {
    entities,
    documents: [],
    documentTexts: [],
    aliases: [],
    identities: [],
    passages: [],
    relations: [],
  }
  t.equal(await stores.imports.append(id, begun.id, batch, { leaseUntil: clock() + 60_000 }), 400)

  const before = await dump()
  clock.now += 59_000
  domain.maintenance.sweep()
  await domain.idle()
  t.same(await dump(), before, 'a running import is left alone')

  clock.now += 2000
  domain.maintenance.sweep()
  await domain.idle()
  t.equal((await rows()).entities.length, 0)
  t.match(await domain.imports.list('ann', id), [{ status: 'failed', problem: /in time/ }])
  t.equal(
    await stores.imports.append(id, begun.id, batch, { leaseUntil: clock() + 60_000 }),
    null,
    'a process that wakes up late writes nothing',
  )
  t.equal((await rows()).entities.length, 0)
})

t.test('a staged import waits an hour for its owner’s confirmation', async t => {
  const { domain, clock, rows, id, add } = await openSafe(t)
  const staged = await add('a.nt', people(3), { commit: false })
  t.equal(staged.status, 'staged')
  t.match(await domain.find('ann', id), { version: 0, counts: { entities: 0 } }, 'nothing is visible')
  clock.now += 3_599_000
  domain.maintenance.sweep()
  await domain.idle()
  t.equal((await domain.imports.commit('ann', id, staged.id)).status, 'committed')
  await t.rejects(domain.imports.commit('ann', id, staged.id), { code: 'not_staged' })
  t.match(await domain.find('ann', id), { version: 1, counts: { entities: 4 } })

  const late = await add('b.nt', people(4), { commit: false })
  const before = await rows()
  clock.now += 3_601_000
  domain.maintenance.sweep()
  await domain.idle()
  await t.rejects(domain.imports.commit('ann', id, late.id), { code: 'not_staged' })
  t.equal((await rows()).entities.length, before.entities.length - 5)
})

t.test('a stated name wins over an implied one in either order; further names become aliases', async t => {
  const { rows, add } = await openSafe(t)
  const label = '<http://www.w3.org/2000/01/rdf-schema#label>'
  const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  // Far more rows than one transaction writes are between the statements about `a` and `b`.
  const text = [
    `<http://x/a> ${label} "Ada" .`,
    '<http://x/a> <http://x/knows> <http://x/b> .',
    people(400),
    `<http://x/a> ${type} <http://x/person> .`,
    `<http://x/a> ${label} "Countess" .`,
    `<http://x/b> ${label} "Babbage" .`,
  ].join('\n')
  t.equal((await add('names.nt', text)).counts.entities, 403)
  const { entities, aliases } = await rows()
  const named = (key: string) => entities.find(row => row.key === key)
  t.match(named('a'), { name: 'Ada', type: 'person' })
  t.match(named('b'), { name: 'Babbage', type: null })
  t.match(aliases, [{ entity_key: 'a', alias: 'Countess' }])
})

t.test('what a file says twice is written once', async t => {
  const { rows, add } = await openSafe(t)
  const alias = '<http://x/p0> <http://www.w3.org/2004/02/skos/core#altLabel> "Zero" .'
  const text = `${people(3)}\n${alias}\n${people(3)}\n${alias}`
  const done = await add('a.nt', text)
  t.match(done.counts, { entities: 4, relations: 3 })
  t.match([(await rows()).relations.length, (await rows()).aliases.length], [3, 1])
})

t.test('no transaction adds or drops more than 500 rows (GRAPH §1)', async t => {
  const { stores, add } = await openSafe(t)
  const sizes: number[] = []
  const append = stores.imports.append.bind(stores.imports)
  stores.imports.append = (safeId, importId, rows, lease) => {
    sizes.push(Object.values(rows).reduce((sum, list) => sum + list.length, 0))
    return append(safeId, importId, rows, lease)
  }
  await add('a.nt', people(2000))
  t.ok(sizes.length > 7 && Math.max(...sizes) <= MAX_ROWS, `${sizes}`)
})

t.test('a file that breaks off, is empty or is no text fails and leaves nothing', async t => {
  const { domain, rows, id, add } = await openSafe(t)
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
    const done = await add('a.nt', text)
    t.equal(done.status, 'failed')
    t.match(done.problem, problem)
  }
  t.same(await rows(), NO_ROWS)
  t.equal((await domain.find('ann', id))?.version, 0)
})

t.test('an unknown format is refused before anything is written', async t => {
  const { dump, add } = await openSafe(t)
  const before = await dump()
  await t.rejects(add('a.exe', 'x'), { status: 400, code: 'unknown_format' })
  await t.rejects(add('a.nt', 'x', { format: 'word' }), {
    code: 'unknown_format',
  })
  t.same(await dump(), before)
})

t.test('a file is read as what its bytes are, and the import says so', async t => {
  const { add } = await openSafe(t)
  const notes = zip([{ name: 'a.nt', content: '<a:a> <a:b> <a:c> .' }])
  t.match(await add('notes.docx', notes), { status: 'committed', format: 'zip' })
  t.match(await add('graph', Buffer.from('@prefix a: <a:> . a:x a:y a:z .')), {
    status: 'committed',
    format: 'turtle',
  })
  t.match(await add('graph.docx', Buffer.from('@prefix a: <a:> . a:x a:y a:w .')), { format: 'turtle' })
  t.match(await add('picture.csv', Buffer.from('\x89PNG\r\n', 'latin1')), {
    status: 'failed',
    problem: 'A picture can’t be read. Recognise its text (OCR) and save it as PDF or text.',
  })
  await t.rejects(add('song.mp3', Buffer.from('ID3')), { status: 400, message: /^song\.mp3: A recording/ })
})

t.test('removing a Safe while a file is read into it ends the import and drops everything', async t => {
  const { domain, rows, id } = await openSafe(t)
  const slow = new PassThrough()
  const begun = await domain.imports.start('ann', id, file('a.nt', slow))
  t.equal(begun.status, 'staging')
  slow.write(`${people(600)}\n`)
  await until(async () => (await rows()).relations.length > 0)
  await domain.removal.remove('ann', id)
  slow.end(people(900))
  await domain.idle()
  t.same(await rows(), NO_ROWS)
  t.same(await domain.readableBy('ann'), [])
})

t.test('closing the service aborts an import, which reports it', async t => {
  const { domain, stores, rows, id } = await openSafe(t)
  const slow = new PassThrough()
  slow.write(people(1))
  await domain.imports.start('ann', id, file('a.nt', slow))
  await domain.close()
  t.match(await stores.listedImports.list(id), [{ status: 'failed', problem: /interrupted|stopped/ }])
  t.equal((await rows()).entities.length, 0)
})

t.test('what fails after an import was committed does not report it as failed', async t => {
  const { stores, database, add } = await openSafe(t, { onError: () => {} })
  const { find } = stores.listedImports
  const { commit } = stores.imports
  let committed = false
  stores.imports.commit = async function (...given) {
    const result = await commit.apply(this, given)
    committed = true
    return result
  }
  stores.listedImports.find = async function (...given) {
    if (committed) throw new Error('the database went away')
    return find.apply(this, given)
  }
  const outcome = await add('a.csv', 'a,knows,b')
  t.match(outcome, { status: 'committed', counts: { relations: 1 } })
  const [row] = await database.read.selectFrom('imports').select('status').execute()
  t.equal(row?.status, 'committed')
})
