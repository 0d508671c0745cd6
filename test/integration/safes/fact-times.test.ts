import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { answerText } from '../../../domain/safes/ask/answer.js'
import { mergeOldImports } from '../../../domain/safes/imports/merging.js'
import type { Question } from '../../../domain/safes/safe.js'
import { relation } from '../../jsonl.js'
import { DATABASES, type Database, file, openSafe } from './open.js'

const DAY = 86_400_000

const fact = (object: string, dates: object = {}, type = 'lives in') => relation('Ada', type, object, dates)

async function open(t: Test, over?: Database) {
  const opened = await openSafe(t, { over })
  const { domain, clock, id } = opened
  let files = 0
  const addFile = async (name: string, ...lines: string[]) => {
    clock.now += DAY
    const done = await opened.add(name, lines.join('\n'))
    t.equal(done.status, 'committed', done.problem ?? '')
  }
  const add = (...lines: string[]) => addFile(`${++files}.jsonl`, ...lines)
  /** The facts of an answer by the newest index. */
  const ask = async (question: Question, safeId = id) => {
    for (let tries = 0; tries < 20; tries++) {
      await domain.questions.ask('ann', safeId, question)
      await turn()
    }
    const answer = await domain.questions.ask('ann', safeId, question)
    const text = answerText(answer)
    return { ...answer, text, lines: text.split('\n').filter(line => line.includes(' \u2192 ')) }
  }
  return { ...opened, add, addFile, ask }
}

t.test('an answer shows when facts are true and when they were learned, in both forms', async t => {
  const { add, ask } = await open(t)
  await add(
    fact('Rome', { validFrom: '2015', validTo: '2018-06' }),
    fact('Bern', { validFrom: '2018-07-01', learnedOn: '2024-01-31' }),
    fact('Oslo', { validTo: '2014' }),
    fact('Bo', {}, 'knows'),
  )
  await add(fact('Bern', { validFrom: '2018-07-01', learnedOn: '2025' }))
  const { lines, facts } = await ask({ query: 'Ada' })
  t.strictSame(lines.map(line => line.replace(/ \[.*\]$/, '')).sort(), [
    'Ada — knows → Bo',
    'Ada — lives in → Bern (since 2018-07-01, learned 2025)',
    'Ada — lives in → Oslo (until 2014)',
    'Ada — lives in → Rome (2015 – 2018-06)',
  ])
  const bern = facts.find(({ object }) => object === 'Bern')
  t.match(bern, { valid_from: '2018-07-01', learned_on: '2025', sources: ['1.jsonl', '2.jsonl'] })
  t.notOk(bern && 'valid_to' in bern)
  t.strictSame(
    Object.keys(facts.find(({ object }) => object === 'Bo') ?? {}),
    ['id', 'subject', 'predicate', 'object', 'sources', 'score'],
    'nothing more where no dates are known',
  )
})

t.test('as_of leaves out later passages and keeps those without a time', async t => {
  const { add, ask } = await open(t)
  const passages = [{ time: Date.UTC(2020, 0, 1) }, { time: Date.UTC(2022, 0, 1) }, null]
  const observations = ['The mill stood.', 'The mill burned.', 'The mill is old.']
  await add(JSON.stringify({ type: 'entity', name: 'Mill', entityType: 'place', observations, passages }))
  for (const question of [
    { query: 'mill burned stood old', mode: 'search' },
    { query: 'Mill' },
  ] as Question[]) {
    const { passages: found } = await ask({ ...question, asOf: '2021' })
    t.strictSame(found.map(({ text }) => text).sort(), ['The mill is old.', 'The mill stood.'])
  }
})

for (const over of DATABASES) {
  t.test(`${over}: a marked relation has one value at a time; unmarking undoes it`, async t => {
    const { id, add, ask, domain, database } = await open(t, over)
    const version = async () =>
      (await database.read.selectFrom('safes').select('version').executeTakeFirstOrThrow()).version
    const first = async () => (await ask({ query: 'Where does Ada live?', mode: 'search' })).facts[0]?.object
    await add(fact('Rome'), fact('Bo', {}, 'knows'))
    await add(fact('Bern'), fact('Cy', {}, 'knows'))
    const before = (await ask({ query: 'Ada' })).lines.toSorted()
    t.notMatch(before.join('\n'), /superseded|until/)
    t.equal(await domain.singleValued.set('ann', id, 'livesIn', true), 'lives in')
    t.strictSame(await domain.singleValued.list('ann', id), ['lives in'])
    const { lines, facts } = await ask({ query: 'Ada' })
    const [rome = '', ...others] = lines.toSorted(
      (a, b) => Number(b.includes('Rome')) - Number(a.includes('Rome')),
    )
    t.match(rome, /^Ada — lives in → Rome \(until \d{4}-\d\d-\d\d, superseded\)/)
    t.strictSame(
      facts.filter(({ superseded }) => superseded).map(({ object }) => object),
      ['Rome'],
    )
    t.notMatch(others.join('\n'), /superseded/, 'what it lives in now, and other relations')
    await add(fact('Rome'))
    t.equal(await first(), 'Rome', 'stated again, it is the newest')
    await domain.imports.undo('ann', id, 3)
    t.equal(await first(), 'Bern')
    const marked = await version()
    t.equal(await domain.singleValued.set('ann', id, 'lives in', true), 'lives in', 'again: no change')
    await domain.singleValued.set('ann', id, 'LIVES_IN', false)
    t.strictSame(await domain.singleValued.list('ann', id), [])
    t.strictSame((await ask({ query: 'Ada' })).lines.toSorted(), before)
    t.equal(await version(), marked + 1)
  })
}

t.test('marked relations have names, and a Safe has at most 200', async t => {
  const { id, domain } = await open(t)
  for (const name of ['', ' ', 'x'.repeat(1_001), 'a\0b'])
    await t.rejects(domain.singleValued.set('ann', id, name, true), { code: 'invalid_name' })
  t.strictSame(await domain.singleValued.list('ann', id), [])
  for (let at = 0; at < 200; at++) await domain.singleValued.set('ann', id, `relation ${at}`, true)
  await t.rejects(domain.singleValued.set('ann', id, 'one more', true), { code: 'too_many' })
  await domain.singleValued.set('ann', id, 'relation 7', true)
})

t.test('an export says when superseded facts were learned, so that a copy has the same history', async t => {
  const { id, add, ask, domain, exported } = await open(t)
  await add(fact('Rome'))
  await add(fact('Oslo'), fact('Oslo'))
  await add(fact('Rome'), fact('Bo', {}, 'knows'))
  t.notMatch(await exported(), /learnedOn/)
  await domain.singleValued.set('ann', id, 'lives in', true)
  const history = async (safeId: string) =>
    (await ask({ query: 'Ada' }, safeId)).facts
      .map(({ object, valid_to, superseded }) => ({ object, valid_to, superseded }))
      .sort((a, b) => (a.object < b.object ? -1 : 1))
  const original = await history(id)
  t.match(original, [{ object: 'Bo' }, { object: 'Oslo', superseded: true }, { object: 'Rome' }])
  for (const format of ['jsonl', 'csv', 'ntriples']) {
    const text = await exported(format)
    const copy = await domain.create('ann', 'Copy')
    await domain.imports.add('ann', copy.id, file(`copy.${format}`, text, { format }))
    await domain.singleValued.set('ann', copy.id, 'lives in', true)
    t.strictSame(await history(copy.id), original, format)
    const linesOf = (text: string) => text.split(/\r?\n/).sort()
    t.strictSame(linesOf(await exported(format, copy.id)), linesOf(text), `${format}, exported again`)
  }
})

t.test('merging old imports keeps which fact is the newest', async t => {
  const { id, addFile, ask, domain, stores, clock, database } = await open(t)
  await domain.singleValued.set('ann', id, 'lives in', true)
  const add = (...lines: string[]) => addFile('daily.jsonl', ...lines)
  await add(fact('Rome'), fact('Bo', {}, 'knows'))
  await add(fact('Oslo'))
  for (let at = 0; at < 2; at++) await add(fact('Rome'), fact(`Friend ${at}`, {}, 'knows'))
  const history = async () =>
    (await ask({ query: 'Ada' })).facts
      .filter(({ predicate }) => predicate === 'lives in')
      .map(({ object, superseded }) => [object, superseded ?? false])
      .sort()
  const before = await history()
  t.strictSame(before, [
    ['Oslo', true],
    ['Rome', false],
  ])
  await mergeOldImports({ ...stores, clock }, new AbortController().signal, { keep: 0, most: 4 })
  t.match(await database.read.selectFrom('safes').select('merged_through').execute(), [{ merged_through: 4 }])
  t.strictSame(await history(), before)
})

t.test('facts of a synced folder were learned when the run began that brought them', async t => {
  const { id, add, ask, domain, clock } = await open(t)
  await domain.singleValued.set('ann', id, 'lives in', true)
  const files = new Map<string, string>()
  const run = async () => {
    clock.now += DAY
    const walked = [...files].map(([path, text], at) => ({
      ...{ path, size: text.length, modifiedAt: at + 1 },
      open: async () => Readable.from([Buffer.from(text)]),
    }))
    const leftOut = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }
    const walk = async () => ({ files: walked, leftOut })
    await domain.folders.sync('ann', id, { name: 'facts', folder: '/facts', walk })
    await domain.idle()
  }
  files.set('a.jsonl', fact('Rome'))
  await run()
  await add(fact('Oslo'))
  files.set('b.jsonl', fact('Bern'))
  await run()
  const current = async () =>
    (await ask({ query: 'Ada' })).facts.filter(({ superseded }) => !superseded).map(({ object }) => object)
  t.strictSame(await current(), ['Bern'])
  await add(fact('Oslo', { learnedOn: '2100' }))
  t.strictSame(await current(), ['Oslo'])
})
