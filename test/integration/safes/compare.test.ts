import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { entity, lines, relation } from '../../jsonl.js'
import { type ZipEntry, zip } from '../../zip.js'
import { openSafe, people } from './open.js'

const SOLAR = lines(
  entity('Mercury', 'planet', 'The smallest planet.'),
  entity('Venus', 'planet'),
  entity('Sun', ''),
  relation('Mercury', 'orbits', 'Sun'),
)

t.test('a dry run says what is new, what is there and what conflicts, with examples (ADR 31)', async t => {
  const { domain, id, add } = await openSafe(t)
  await add('solar.jsonl', SOLAR)
  const next = lines(
    entity('mercury', 'element', 'The smallest planet.', 'A liquid metal.'),
    entity('Venus', 'Planet'),
    entity('Sun', 'star'),
    entity('Titan', 'moon'),
    relation('Mercury', 'orbits', 'Sun'),
    relation('Titan', 'orbits', 'Saturn'),
  )
  const staged = await add('more.jsonl', next, { commit: false })
  t.strictSame(staged.comparison, {
    version: 1,
    added: { entities: 2, relations: 1, passages: 2 },
    there: { entities: 2, relations: 1, passages: 0 },
    conflicts: 1,
    documents: { added: 1, changed: 0, unchanged: 0 },
    examples: {
      added: [
        'Titan — orbits → Saturn',
        'mercury: The smallest planet.',
        'mercury: A liquid metal.',
        'Saturn',
        'Titan (moon)',
      ],
      there: ['mercury — orbits → Sun', 'Sun (star)', 'Venus (Planet)'],
      conflicts: ['mercury: “planet” in the Safe, “element” in the file'],
    },
  })
  t.strictSame((await domain.imports.find('ann', id, staged.id))?.comparison, staged.comparison, 'it is kept')
  t.equal((await domain.find('ann', id))?.version, 1, 'comparing changes nothing')
})

t.test('documents are new, changed or unchanged by what has their path in force (ADR 31)', async t => {
  const { id, domain, add } = await openSafe(t)
  const note = (name: string, content: string): ZipEntry => ({ name, content })
  const many = Array.from({ length: 230 }, (_, at) => note(`many/${at}.md`, `The number is ${at}.`))
  const kept = [note('Ada.md', 'Knows [[Babbage]].'), ...many]
  const picture = note('map.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const before = zip([...kept, note('Lamp.md', 'On.'), note('Old.md', 'Old.'), picture])
  const after = zip([
    ...kept,
    note('Lamp.md', 'Off.'),
    note('New.md', 'Old.'),
    note('map.svg', `${picture.content} `),
  ])
  const compared = async () => (await add('notes.zip', after, { commit: false })).comparison?.documents
  t.strictSame(await compared(), { added: 233, changed: 0, unchanged: 0 }, 'in an empty Safe')
  await add('notes.zip', before)
  t.strictSame(await compared(), { added: 1, changed: 1, unchanged: 231 })
  await add('notes.zip', zip([note('Lamp.md', 'Off.')]))
  t.strictSame(await compared(), { added: 1, changed: 0, unchanged: 232 }, 'the newest of a path')
  await domain.imports.undo('ann', id, 2)
  t.strictSame(await compared(), { added: 232, changed: 0, unchanged: 1 }, 'what was undone is not there')
})

t.test('only what is visible counts as there (ADR 31)', async t => {
  const { domain, id, add } = await openSafe(t)
  await add('solar.jsonl', SOLAR)
  await add('waits.jsonl', lines(entity('Mars', 'planet')), { commit: false })
  await domain.imports.undo('ann', id, 1)
  const again = await add('again.jsonl', SOLAR, { commit: false })
  t.match(again.comparison, {
    added: { entities: 3, relations: 1, passages: 1 },
    there: { entities: 0, relations: 0, passages: 0 },
    conflicts: 0,
    examples: {
      added: [
        'Mercury — orbits → Sun',
        'Mercury: The smallest planet.',
        'Mercury (planet)',
        'Sun',
        'Venus (planet)',
      ],
    },
  })
})

t.test('the first stated type is the one that conflicts, as in answers (ADR 31)', async t => {
  const { add } = await openSafe(t)
  for (const type of ['', 'god', 'planet']) await add(`${type}.jsonl`, lines(entity('Jupiter', type)))
  const compare = async (type: string) => {
    const bytes = lines(entity('Jupiter', type), entity(`Moon of ${type}`, 'moon'))
    return (await add('a.jsonl', bytes, { commit: false })).comparison?.conflicts
  }
  t.same([await compare('god'), await compare('planet'), await compare('')], [0, 1, 0])
})

t.test('a comparison offers others their turn at every row, and shortens long examples', async t => {
  const { add } = await openSafe(t)
  await add('people.nt', people(500))
  const offers = t.capture(Pause.prototype, 'due', () => true)
  const rests = t.capture(Pause.prototype, 'rest', Pause.prototype.rest)
  const texts = [`so\\n \\t ${'long '.repeat(100)}`, 'y'.repeat(156), 'z'.repeat(157)]
  const said = texts.map(text => `<http://x/p1> <http://www.w3.org/2000/01/rdf-schema#comment> "${text}" .`)
  const more = [people(500), ...said].join('\n')
  const { comparison } = await add('more.nt', more, { commit: false })
  t.match(comparison, {
    added: { entities: 0, relations: 0, passages: 3 },
    there: { entities: 501, relations: 500 },
  })
  t.strictSame(comparison?.examples.added, [
    `p1: so ${'long '.repeat(31).slice(0, 153)}\u2026`,
    `p1: ${'y'.repeat(156)}`,
    `p1: ${'z'.repeat(156)}\u2026`,
  ])
  const [offered, rested] = [offers(), rests()]
  t.ok(offered.length >= 501 + 500 + 500, `${offered.length} offers`)
  t.equal(rested.length, offered.length)
})

t.test('closing the service while it compares ends the import', async t => {
  const { domain, stores, id, add } = await openSafe(t)
  await add('people.nt', people(50))
  t.capture(Pause.prototype, 'due', () => true)
  const { committedImports } = stores.contents
  stores.contents.committedImports = async function (...given) {
    stores.contents.committedImports = committedImports
    void domain.close()
    return committedImports.apply(this, given)
  }
  const ended = await add('more.nt', people(60), { commit: false })
  t.match(ended, { status: 'failed', problem: /stopped/ })
  t.match(await stores.listedImports.find(id, ended.id), { status: 'failed' })
})
