import t from 'tap'
import { itemsOf } from '../../../engine/graph/collections/groups.js'
import { findString, stringAt } from '../../../engine/graph/collections/strings.js'
import { sharedBy, wordOf } from '../../../engine/graph/index/safe-index.js'
import { entity, lines } from '../../jsonl.js'
import { indexOf } from './source.js'

/** Every mention in a passage, as `word position: entity / names it shares`. */
async function mentionsIn(texts: string[], names: string[] = [], about = 'Journal') {
  const { index } = await indexOf(lines(...names.map(name => entity(name)), entity(about, 'x', ...texts)))
  const { mentions, passages } = index
  const found = Array.from({ length: passages.count }, (_, passage) => {
    const [from = 0, to = 0] = mentions.offsets.subarray(passage, passage + 2)
    return Array.from({ length: to - from }, (_, i) => from + i).map(
      at =>
        `${wordOf(mentions, at)}: ${stringAt(index.entities, mentions.entity[at] ?? 0)} / ${sharedBy(mentions, at)}`,
    )
  })
  return { index, found }
}

t.test('the longest known name is the one that is mentioned (GRAPH §2)', async t => {
  const names = ['North Harbour', 'North Harbour Light', 'Light Keeper']
  const { found } = await mentionsIn(['we saw north harbour light keeper ann', 'north harbour again'], names)
  t.strictSame(found, [['2: north harbour light / 1'], ['0: north harbour / 1']])
})

t.test('a name has at most eight words, a single one at least four letters (GRAPH §2)', async t => {
  const eight = 'one two three four five six seven eight'
  const names = [eight, `zero ${eight}`, 'rio', 'lima', 'about']
  const { found } = await mentionsIn([`rio and lima about zero ${eight}`], names)
  t.strictSame(found, [['2: lima / 1', `5: ${eight} / 1`]])
})

t.test('a passage does not mention what it is about', async t => {
  const { found } = await mentionsIn(['harbour journal of the harbour'], ['harbour'], 'Harbour Journal')
  t.strictSame(found, [['4: harbour / 1']])
})

t.test('a name of n entities counts 1/n, and of more than eight not at all (GRAPH §2)', async t => {
  const called = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${name}, in country ${name}${i}`)
  const names = [...called('springfield', 8), ...called('georgetown', 9)]
  const { found } = await mentionsIn(['springfield or georgetown'], names)
  t.equal(found[0]?.length, 8)
  t.ok(found[0]?.every(mention => mention.startsWith('0: springfield, in') && mention.endsWith('/ 8')))
})

t.test('capitalised phrases of two passages become entities of their own (GRAPH §2)', async t => {
  const { index, found } = await mentionsIn([
    'we met Zora Quill and The Old Mill, then went home',
    'again Zora Quill was there, and Solo Person',
    'nobody met Solo person',
  ])
  t.strictSame(found, [['2: zora quill / 1'], ['1: zora quill / 1'], []])
  const entity = findString(index.entities, 'zora quill')
  t.ok(entity >= index.named, 'though no row names it')
  t.equal(findString(index.entities, 'solo person'), -1, 'one passage connects nothing')
  t.equal(itemsOf(index.mentions.byEntity, entity).length, 2)
})

t.test('a capitalised phrase ends at a sign, at a known name and without stop words around it', async t => {
  const text = 'met Zora Quill, Bo Li and The Great Fire of York'
  const { found } = await mentionsIn([text, `so ${text}`], ['York'])
  t.strictSame(found[0], ['1: zora quill / 1', '3: bo li / 1', '7: great fire / 1', '10: york / 1'])
})
