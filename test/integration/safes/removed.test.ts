import t from 'tap'
import { cutText } from '../../../domain/safes/removed/cut-text.js'
import { hashOfText, Removed } from '../../../domain/safes/removed/removed.js'
import { zip } from '../../zip.js'
import { DATABASES, openSafe } from './open.js'

const NOTE =
  '# Garden\n\nPeas grow by the wall.\n\n## Later\n\nThe secret compost smells.\n\n## Last\n\nRest.\n'
const FACTS =
  '{"type":"relation","from":"Ada","to":"Ben","relationType":"knowsWell"}\n{"type":"relation","from":"Ada","to":"Cy","relationType":"knows"}\n'

for (const over of DATABASES)
  t.test(
    `over ${over}, what an owner removes is nowhere, whatever brings it again, until it is brought back`,
    async t => {
      const { domain, id, ask, exported, add, stores } = await openSafe(t, { over })
      await add('vault.zip', zip([{ name: 'Garden.md', content: NOTE }]))
      await add('facts.jsonl', FACTS)
      const found = await ask({ query: 'secret compost' })
      const passage = found.passages.find(({ text }) => text.includes('compost'))!
      const original = async () =>
        String(
          await domain.documents.original('ann', id, await domain.documents.find('ann', id, 'Garden.md')),
        )
      const everywhere = async () => {
        const answers = await Promise.all(['secret compost', 'Ada', 'Ben'].map(query => ask({ query })))
        const texts = answers.flatMap(({ facts, passages }) => [
          ...passages.map(({ text }) => text),
          ...facts.map(({ subject, object }) => `${subject} ${object}`),
        ])
        const document = await domain.documents.find('ann', id, 'Garden.md')
        const facts = await domain.documents.read(
          'ann',
          id,
          await domain.documents.find('ann', id, 'facts.jsonl'),
        )
        const { text, passages } = await domain.documents.read('ann', id, document)
        const lines = text.split('\n')
        t.ok(
          passages.every(passage => lines[(passage.line ?? 0) - 1] === passage.text),
          'the lines of passages',
        )
        texts.push(text, await original(), facts.text)
        texts.push(await exported('jsonl'), await exported('csv'), await exported('ntriples'))
        return { text: texts.join('\n'), compost: texts.some(text => text.includes('compost smells')) }
      }
      t.ok((await everywhere()).compost)

      const removed = await domain.removed.removePassage('ann', id, passage.id)
      const fact = { subject: 'ADA', predicate: 'knows well', object: 'Ben' }
      const removedFact = await domain.removed.removeFact('ann', id, fact)
      const check = async (when: string) => {
        const { text, compost } = await everywhere()
        t.notOk(compost, `${when}: the passage`)
        t.notMatch(text, /Ada Ben|knowsWell/, `${when}: the fact`)
        t.match(
          text,
          /Peas grow[\s\S]*## Later[\s\S]*## Last\n\nRest\./,
          `${when}: the rest of the note is there`,
        )
        t.match(text, /Ada Cy/, `${when}: other facts`)
      }
      await check('at once')
      await add(
        'again.zip',
        zip([
          { name: 'Garden.md', content: NOTE },
          { name: 'New.md', content: 'New.\n' },
        ]),
      )
      await add('again.jsonl', `${FACTS}{"type":"entity","name":"Dee","observations":[]}\n`)
      await check('imported again')
      t.equal((await domain.removed.list('ann', id)).length, 2)

      await domain.removed.restore('ann', id, removed)
      await domain.removed.restore('ann', id, removedFact)
      const { text, compost } = await everywhere()
      t.ok(compost)
      t.match(text, /Ada Ben/)
      t.equal(await original(), NOTE, 'byte for byte again')
      t.ok((await stores.decisions.removed(id)).isEmpty)
    },
  )

t.test('what is not there cannot be removed, and a refusal writes nothing', async t => {
  const { domain, id, add, ask, database } = await openSafe(t)
  await add('facts.jsonl', FACTS)
  const safe = () => database.read.selectFrom('safes').selectAll().execute()
  const before = await safe()
  const fact = { subject: 'Ada', predicate: 'knows', object: 'Cy' }
  for (const unknown of ['p1.99', 'p99.1', 'x'])
    await t.rejects(domain.removed.removePassage('ann', id, unknown), { code: 'not_found' })
  for (const part of ['subject', 'predicate', 'object'])
    await t.rejects(domain.removed.removeFact('ann', id, { ...fact, [part]: 'Nobody' }), {
      code: 'not_found',
    })
  await t.rejects(domain.removed.restore('ann', id, 'x'), { code: 'not_found' })
  t.same(await safe(), before)
  t.ok((await ask({ query: 'Ada' })).facts.length > 0)
})

t.test('of a text, the lines of a removed passage go, and no heading of what follows', async t => {
  const passage = (line: number, text: string) => ({ id: line, line, entityKey: 'a', title: '', text })
  const all = [
    passage(3, 'Peas grow by the wall.'),
    passage(7, 'The secret compost smells.'),
    passage(11, 'Rest.'),
  ]
  const without = (at: number, text = all[at]!.text) => {
    const passages = all.map((one, place) => (place === at ? { ...one, text } : one))
    const keys = { entity: 'a', textHash: hashOfText(text) }
    const removed = new Removed([{ id: 'x', kind: 'passage', keys, shown: [], removedAt: 0 }])
    return cutText(NOTE, passages, removed, false)
  }
  t.equal(without(0), NOTE.replace('Peas grow by the wall.\n', ''))
  t.equal(without(1), NOTE.replace('The secret compost smells.\n', ''))
  t.equal(without(2), NOTE.replace('Rest.\n', ''))
  t.notMatch(without(1, 'read in other words altogether'), /compost/)
  t.match(without(1, 'read in other words altogether'), /## Last/)
})
