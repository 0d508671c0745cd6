import t, { type Test } from 'tap'
import { mergeOldImports } from '../../../domain/safes/imports/merging.js'
import { entity, lines, relation } from '../../jsonl.js'
import { DATABASES, type Database, file, openSafe } from './open.js'

const FIRST = lines(
  relation('Jane Smith', 'leads', 'Lens Restoration'),
  entity('Jane Smith', 'person', 'Jane Smith repairs lamps.'),
  relation('Berit Ohr', 'leads', 'Archive'),
)
const SECOND = lines(
  relation('J. Smith', 'leads', 'Lens Restoration'),
  relation('J. Smith', 'lives in', 'Lundvik'),
  entity('J. Smith', 'person', 'Keeps the log of the harbour.'),
)

const refused = (status: number, message = /./) => ({ status, message })

/** A Safe of ann's, in which Jane Smith has two names. */
async function open(t: Test, over?: Database) {
  const opened = await openSafe(t, { over })
  const { domain, id, add } = opened
  await add('first.jsonl', FIRST)
  await add('second.jsonl', SECOND)
  const ask = async (name: string, safeId = id) => {
    const { facts, passages, hints, linked } = await domain.questions.ask('ann', safeId, { query: name })
    return {
      facts: facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).sort(),
      sources: facts.map(({ sources }) => sources.length),
      passages: passages.map(({ title, text }) => `${title}: ${text}`).sort(),
      hints,
      linked,
    }
  }
  const thing = async (name: string, safeId = id) => {
    const found = await domain.browse.thing('ann', safeId, name)
    if (found.key === null) return null
    const { key, name: shown, relationCount, merged, aliases } = found
    return { key, name: shown, relationCount, merged, aliases }
  }
  return { ...opened, ask, thing }
}

const ONE = {
  key: 'jane smith',
  name: 'Jane Smith',
  relationCount: 2,
  merged: [{ key: 'j. smith', name: 'J. Smith' }],
  aliases: [],
}

for (const over of DATABASES) {
  t.test(`${over}: a merge is an import: answers use one name, and undo and restore work`, async t => {
    const { domain, id, ask, thing, exported, rows, clock, database } = await open(t, over)
    const before = [await ask('Jane Smith'), await ask('J. Smith'), await exported()]
    const { id: merge, source, counts } = await domain.identity.merge('ann', id, 'Jane Smith', 'J. Smith')
    t.equal(source, 'merged “J. Smith” into “Jane Smith”')
    t.same(counts, { entities: 1, relations: 0, passages: 0 })
    const one = await ask('J. Smith')
    t.match(one, {
      facts: ['Jane Smith leads Lens Restoration', 'Jane Smith lives in Lundvik'],
      passages: ['Jane Smith: Jane Smith repairs lamps.', 'Jane Smith: Keeps the log of the harbour.'],
      linked: [{ entity: 'Jane Smith' }],
    })
    t.same(one.sources.toSorted(), [1, 2], 'the fact that both had has two sources')
    t.match(one.hints, ['"Jane Smith" is also called "J. Smith" here.'])
    t.same(await thing('J. Smith'), ONE)
    t.match(
      (await domain.browse.things('ann', id, { sort: 'name', limit: 9 })).items.map(({ name }) => name),
      ['Archive', 'Berit Ohr', 'Jane Smith', 'Lens Restoration', 'Lundvik'],
    )
    t.match((await domain.browse.path('ann', id, 'j. smith', 'Lundvik')).paths, { length: 1 })
    t.match(await domain.browse.suggest('ann', id, 'J', 9), [{ name: 'Jane Smith' }], 'by either name, once')

    await domain.imports.undo('ann', id, merge)
    t.same([await ask('Jane Smith'), await ask('J. Smith'), await exported()], before)
    await domain.imports.restore('ann', id, merge)
    t.same(await ask('J. Smith'), one)
    t.equal((await rows()).relations.length, 4, 'no row was changed')
    await domain.imports.undo('ann', id, merge)
    clock.now += 8 * 86_400_000
    domain.maintenance.sweepAbandoned()
    await domain.idle()
    t.same(await database.read.selectFrom('identities').selectAll().execute(), [], 'and it goes for good')
  })
}

t.test('a thing is split again by a further import, and merged again the other way', async t => {
  const { domain, id, thing, add } = await open(t)
  await add('third.jsonl', relation('Smith, Jane', 'owns', 'Boat'))
  await domain.identity.merge('ann', id, 'Jane Smith', 'J. Smith')
  await domain.identity.merge('ann', id, 'Jane Smith', 'Smith, Jane')
  t.match(await thing('Jane Smith'), { relationCount: 3, merged: { length: 2 } })
  const { source } = await domain.identity.split('ann', id, 'J. Smith')
  t.equal(source, 'split “J. Smith” from “Jane Smith”')
  t.match(await thing('J. Smith'), { key: 'j. smith', relationCount: 2, merged: { length: 0 } })
  t.match(await thing('Jane Smith'), { relationCount: 2, merged: [{ name: 'Smith, Jane' }] })
  t.match(await domain.identity.merge('ann', id, 'J. Smith', 'Smith, Jane'), { status: 'committed' })
  t.match(await thing('Jane Smith'), { name: 'J. Smith', relationCount: 3, merged: { length: 2 } })
  await domain.identity.split('ann', id, 'J. Smith')
  t.match(await thing('Jane Smith'), { relationCount: 1, merged: { length: 0 } }, 'all apart')
  t.match(await domain.identity.merge('ann', id, 'Jane Smith', 'J. Smith'), { status: 'committed' })
  t.match(await thing('J. Smith'), { name: 'Jane Smith', relationCount: 2 }, 'the same merge once more')
})

t.test('merging old imports keeps what was merged last (ADR 31)', async t => {
  const { domain, id, thing, exported, clock, stores, add } = await open(t)
  await domain.identity.merge('ann', id, 'J. Smith', 'Jane Smith')
  await domain.identity.split('ann', id, 'Jane Smith')
  await domain.identity.merge('ann', id, 'Jane Smith', 'J. Smith')
  await add('later.jsonl', relation('Ada', 'knows', 'Bo'))
  t.same(await thing('J. Smith'), ONE)
  const before = (await exported()).split('\n').sort()
  await mergeOldImports({ ...stores, clock }, new AbortController().signal, { keep: 1, most: 5 })
  clock.now += 3_600_000
  await mergeOldImports({ ...stores, clock }, new AbortController().signal, { keep: 1, most: 5 })
  t.equal((await stores.contents.committedImports(id))?.ranges.length, 2)
  t.same(await thing('J. Smith'), ONE)
  t.same((await exported()).split('\n').sort(), before)
  await t.rejects(domain.imports.undo('ann', id, 5), refused(409))
  await domain.identity.split('ann', id, 'J. Smith')
  t.match(await thing('J. Smith'), { key: 'j. smith', merged: { length: 0 } }, 'but split')
})

t.test('an export in any format reads back with what was merged', async t => {
  const { domain, id, thing, exported, add } = await open(t)
  await add('q.nt', '<http://x/q1> <http://www.w3.org/2000/01/rdf-schema#label> "Smithy" .')
  await domain.identity.merge('ann', id, 'Jane Smith', 'J. Smith')
  await domain.identity.merge('ann', id, 'q1', 'Jane Smith')
  const one = await thing('Jane Smith')
  t.match(one, { key: 'q1', name: 'Smithy', relationCount: 2, merged: { length: 2 } })
  for (const format of ['jsonl', 'ntriples', 'csv']) {
    const text = await exported(format)
    const copy = await domain.create('ann', `Copy as ${format}`)
    const read = await domain.imports.add('ann', copy.id, file('copy', text, { format }))
    t.match(read, { status: 'committed', badLineCount: 0 })
    t.same(await thing('Jane Smith', copy.id), one, format)
    t.same((await exported(format, copy.id)).split('\n').sort(), text.split('\n').sort())
  }
  t.match(
    await exported('ntriples'),
    '<urn:safe:entity:j.%20smith> <http://www.w3.org/2002/07/owl#sameAs> <urn:safe:entity:q1> .',
  )
})

t.test('nothing merges by itself: owl:sameAs of other files is a relation', async t => {
  const { thing, add } = await open(t)
  const sameAs = '<http://x/Ada> <http://www.w3.org/2002/07/owl#sameAs> <http://y/Q7259> .'
  await add('other.nt', sameAs)
  t.match(await thing('Ada'), { relationCount: 1, merged: { length: 0 } })
  t.match(await thing('Q7259'), { relationCount: 1, merged: { length: 0 } })
})

t.test('another name is an import, too', async t => {
  const { domain, id, thing } = await open(t)
  const { identity } = domain
  const { source, id: named } = await identity.addName('ann', id, 'Jane Smith', ' The lamp\n doctor AC/DC ')
  t.equal(source, '“The lamp doctor AC∕DC” as another name of “Jane Smith”')
  t.match(await thing('the lamp doctor ac/dc'), { key: 'jane smith', aliases: ['The lamp doctor AC/DC'] })
  await t.rejects(identity.addName('ann', id, 'Jane Smith', 'The lamp doctor AC/DC'), refused(409))
  await t.rejects(identity.addName('ann', id, 'Jane Smith', ' '), refused(400))
  await domain.imports.undo('ann', id, named)
  t.equal(await thing('the lamp doctor ac/dc'), null)
})

t.test('what cannot be merged or split is refused, and writes nothing', async t => {
  const { domain, id, dump, add } = await open(t)
  const { identity } = domain
  await add('a.nt', '<http://x/s1> <http://www.w3.org/2000/01/rdf-schema#label> "Same" .')
  await add('b.nt', '<http://x/s2> <http://www.w3.org/2000/01/rdf-schema#label> "Same" .')
  await domain.identity.merge('ann', id, 'Jane Smith', 'J. Smith')
  const before = await dump()
  await t.rejects(
    identity.merge('ann', id, 'Jane Smith', 'J. Smith'),
    refused(409, /already belong to one thing/),
  )
  await t.rejects(identity.merge('ann', id, 'Jane Smith', 'Nobody'), refused(404))
  await t.rejects(identity.merge('ann', id, 'Jane Smith', 'Same'), refused(409, /these keys: s1, s2/))
  await t.rejects(identity.split('ann', id, 'Berit Ohr'), refused(409, /Nothing was merged/))
  await t.rejects(identity.keepApart('ann', id, 'Jane Smith', 'J. Smith'), refused(409))
  t.same(await dump(), before)
  t.match(await identity.merge('ann', id, 's1', 's2'), { source: 'merged “Same” into “Same”' })
})

t.test('duplicates are found, and not offered again after a decision', async t => {
  const { domain, id, add } = await open(t)
  const { identity } = domain
  const found = async () => {
    const page = await identity.duplicates('ann', id, { limit: 10 })
    return page?.items.map(({ one, other, how, common, commonCount }) => ({
      ...{ names: [one.name, other.name].sort(), how, commonCount },
      common: common.map(({ name }) => name),
    }))
  }
  const smiths = {
    ...{ names: ['J. Smith', 'Jane Smith'], how: 'initials' },
    ...{ commonCount: 1, common: ['Lens Restoration'] },
  }
  t.equal(await identity.duplicates('ann', id, { limit: 9, patienceMs: 0 }), null, 'the search goes on')
  t.same(await found(), [smiths])
  await identity.keepApart('ann', id, 'Jane Smith', 'J. Smith')
  t.same(await found(), [])
  await add('more.jsonl', relation('Lens restorations', 'need', 'Glass'))
  t.match(await found(), [{ names: ['Lens Restoration', 'Lens restorations'], how: 'plural' }])
  await identity.offerAgain('ann', id, 'J. Smith', 'Jane Smith')
  t.equal((await found())?.length, 2)
  await identity.merge('ann', id, 'Jane Smith', 'J. Smith')
  const soon = await identity.duplicates('ann', id, { limit: 9, patienceMs: 0 })
  t.match(soon, { total: 1, items: [{ how: 'plural' }] }, 'while the search goes on, those found before')
  t.match(await found(), [{ how: 'plural' }])
  await domain.removal.remove('ann', id)
  await t.rejects(identity.duplicates('ann', id, { limit: 1 }), refused(404))
})
