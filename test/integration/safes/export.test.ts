import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { EXPORT_FORMATS } from '../../../engine/formats/formats.js'
import { normalizeName } from '../../../engine/graph/text/text.js'
import { file, openSafe, openSafes, people } from './open.js'

const formats = EXPORT_FORMATS.map(({ id }) => id)

type Opened = Awaited<ReturnType<typeof openSafes>>

/** The joint content of a Safe's committed imports: each thing once, in a fixed order. */
async function graphOf({ database }: Opened, safeId: string) {
  const rows = (table: 'entities' | 'aliases' | 'passages' | 'relations') =>
    database.read
      .selectFrom(table)
      .where('safe_id', '=', safeId)
      .orderBy('import_id')
      .selectAll()
      .execute() as Promise<Record<string, unknown>[]>
  const distinct = (lines: unknown[][]) => [...new Set(lines.map(line => JSON.stringify(line)))].sort()
  const columns = async (table: Parameters<typeof rows>[0], ...names: string[]) =>
    (await rows(table)).map(row => names.map(name => row[name]))
  const saidOf = new Map<string, [name: string, type: string | null][]>()
  for (const [key, name, type] of (await columns('entities', 'key', 'name', 'type')) as [
    string,
    string,
    null,
  ][]) {
    saidOf.set(key, [...(saidOf.get(key) ?? []), [name, type]])
  }
  const entities: unknown[][] = []
  const aliases = await columns('aliases', 'entity_key', 'alias')
  for (const [key, said] of saidOf) {
    const names = said.map(([name]) => name)
    const [stated, ...further] = names.filter(name => normalizeName(name) !== key)
    const name = stated ?? names.at(-1)
    entities.push([key, name, said.find(([, type]) => type !== null)?.[1] ?? null])
    aliases.push(...further.filter(other => other !== name).map(other => [key, other]))
  }
  return {
    entities: distinct(entities),
    aliases: distinct(aliases),
    relations: distinct(
      await columns(
        'relations',
        ...['subject_key', 'predicate', 'object_key'],
        ...['valid_from', 'valid_to', 'learned_on'],
      ),
    ),
    passages: distinct(await columns('passages', 'entity_key', 'title', 'text', 'source', 'seq', 'time')),
  }
}

/** Exports the Safe in every format, reads each export into a new Safe and compares. */
async function comesBack(opened: Opened, safeId: string): Promise<void> {
  const graph = await graphOf(opened, safeId)
  for (const format of formats) {
    const text = await opened.exported(safeId, format)
    const copy = await opened.domain.create('ann', 'Copy')
    const done = await opened.domain.imports.add('ann', copy.id, file(`copy.${format}`, text, { format }))
    deepStrictEqual(
      { status: done.status, badLines: done.badLines },
      { status: 'committed', badLines: [] },
      format,
    )
    deepStrictEqual(await graphOf(opened, copy.id), graph, format)
  }
}

// biome-ignore format: a list of texts reads best in lines
const hostile = fc.constantFrom(
  ...['=cmd|" /C calc"!A0', "'=1+1", "''@x", '+1', '-1', '@sum', '\tx', 'a\r\nb', 'a\nb', 'a"b', 'a,b', 'a;b'],
  ...['_', '__a_b__', '%', '%41', '%E0%A4%A', '\\', '\\n', '<x>', '{}', '[', '#', ' lead', 'trail ', '.', '/', ''],
  ...['\u00a0nbsp\u00a0', '\ufeffmark', '\u0301', '\u200b', '\u0085', '\u2028', 'İ', 'ﬁ', 'ß', 'ﷺ', '日本', '\ufffe'],
  ...['\u{1f469}\u200d\u{1f467}', '__proto__', 'kind', 'urn:safe:entity:x', '_:b0', '0', 'null', '1e3', '\x01\x7f'],
)
const name = fc
  .oneof(
    { weight: 3, arbitrary: hostile },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
    { weight: 2, arbitrary: fc.constantFrom('Ada', 'ADA', 'Babbage', 'Engine') },
    fc.tuple(hostile, hostile).map(pair => pair.join('')),
  )
  .map(text => text.replaceAll('\0', ''))
  .filter(text => text.trim() !== '')
const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const entity = fc.record({
  type: fc.constant('entity'),
  name,
  key: perhaps(name),
  entityType: fc.oneof(fc.constant(''), name),
  observations: fc.array(name, { maxLength: 3 }),
  passages: fc.array(
    fc.option(
      fc.record({
        title: perhaps(name),
        source: perhaps(name),
        seq: perhaps(fc.integer()),
        time: perhaps(fc.integer({ min: -8.64e15, max: 8.64e15 })),
      }),
    ),
    { maxLength: 3 },
  ),
})
const date = fc.constantFrom('2019', '-0044-03', '2019-05', '2019-05-31', '2019-06-01T09:30:00+02:00')
const relation = fc.record({
  ...{ type: fc.constant('relation'), from: name, to: name, relationType: name },
  validFrom: perhaps(fc.constantFrom('2018', '0987-12-01')),
  validTo: perhaps(date.filter(text => !text.startsWith('-'))),
  learnedOn: perhaps(date),
})
const alias = fc.record({ type: fc.constant('alias'), name, alias: name })
const files = fc.array(fc.array(fc.oneof(entity, relation, alias), { maxLength: 8 }), {
  minLength: 1,
  maxLength: 3,
})

t.test('every export reads back as the same graph, whatever it holds (property)', async t => {
  const opened = await openSafes(t)
  const runs = Number(process.env.FC_RUNS ?? 6)
  const property = fc.asyncProperty(files, async imports => {
    const { id } = await opened.domain.create('ann', 'Original')
    for (const [i, statements] of imports.entries()) {
      const text = said([
        ...statements,
        { type: 'relation', from: 'Ada', to: `import ${i}`, relationType: 'knows' },
        // The name from an IRI would also be known as two words.
        { type: 'entity', name: 'JavaScript' },
      ])
      const done = await opened.domain.imports.add('ann', id, file('a.jsonl', text))
      deepStrictEqual(done.badLines, [])
    }
    await comesBack(opened, id)
  })
  await t.resolves(fc.assert(property, { numRuns: runs }), `${runs} graphs, three formats`)
})

t.test('a chat of more than a thousand short messages reads back, with their places and times', async t => {
  const opened = await openSafes(t)
  const { id } = await opened.domain.create('ann', 'Chat')
  const day = (day: number) => ({
    type: 'entity',
    name: 'Chat',
    observations: Array.from({ length: 400 }, (_, i) => `Message ${day}, ${i}.`),
    passages: Array.from({ length: 400 }, (_, i) => ({
      ...{ title: 'Chat > Day', source: 'chat.txt' },
      ...{ seq: day * 400 + i, time: Date.UTC(2026, 0, 1 + day) + i },
    })),
  })
  const text = said(Array.from({ length: 3 }, (_, at) => day(at)))
  const done = await opened.domain.imports.add('ann', id, file('chat.jsonl', text))
  t.match(done, { status: 'committed', counts: { passages: 1_200 } })
  await t.resolves(comesBack(opened, id))
})

const said = (lines: object[]) => lines.map(line => JSON.stringify(line)).join('\n')

t.test('what several imports say is said once; undone and waiting ones are left out (GRAPH §1)', async t => {
  const { domain, id, add, exported } = await openSafe(t)
  const fact = { type: 'relation', from: 'Ada', to: 'Engine', relationType: 'knows' }
  const ada = { ...plain('Ada'), entityType: 'person', observations: ['=HYPERLINK("http://x")'] }
  await add('a.jsonl', said([fact, ada]))
  await add('b.jsonl', said([ada, fact, fact]))
  await add('c.jsonl', said([{ ...fact, to: 'Undone' }]))
  await domain.imports.undo('ann', id, 3)
  await add('d.jsonl', said([{ ...fact, to: 'Waiting' }]), { commit: false })
  t.equal(await exported('jsonl'), `${said([ada, plain('Engine'), fact])}\n`)
  t.strictSame((await exported('csv')).split('\r\n'), [
    'kind,subject,predicate,object,type,title,text,source,seq,time,subject_key,object_key,valid_from,valid_to,learned_on',
    'entity,Ada,,,person,,,,,,,,,,',
    `passage,Ada,,,,Ada,"'=HYPERLINK(""http://x"")",,,,,,,,`,
    'entity,Engine,,,,,,,,,,,,,',
    'relation,Ada,knows,Engine,,,,,,,,,,,',
    '',
  ])
  t.match(
    await exported('ntriples'),
    /^<urn:safe:entity:ada> <http:\/\/www.w3.org\/2000\/01\/rdf-schema#label> "Ada" \.\n/,
  )
})

const plain = (name: string) => ({ type: 'entity', name, entityType: '', observations: [] })

t.test('a file is called as its Safe, and an unknown format is refused', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Ann’s Safe / 1')
  t.equal((await domain.export('ann', id, 'jsonl')).fileName, 'Ann-s-Safe-1.jsonl')
  await t.rejects(domain.export('ann', id, 'xml'), { status: 400, code: 'unknown_format' })
})

t.test('an export breaks off when its rows are removed', async t => {
  const { domain, id, add } = await openSafe(t)
  await add('a.nt', people(1_500))
  await add('b.nt', people(10))
  const { chunks } = await domain.export('ann', id, 'ntriples')
  const read = async () => {
    for await (const _ of chunks) await domain.imports.undo('ann', id, 2).catch(() => {})
  }
  await t.rejects(read(), { status: 409, code: 'changed' })
})
