import t from 'tap'
import { type Answer, answerText } from '../../../domain/safes/ask/answer.js'
import type { Question } from '../../../domain/safes/safe.js'
import { EXPORT_FORMATS } from '../../../engine/formats/formats.js'
import { lines } from '../../jsonl.js'
import { zip } from '../../zip.js'
import { openSafe } from './open.js'
import { pagesOf } from './pages.js'

interface Place {
  seq?: number
  source?: string
}

/** Texts about one entity, each with its place in a sequence. */
const chat = (name: string, messages: [text: string, place?: Place][]) =>
  JSON.stringify({
    type: 'entity',
    name,
    entityType: 'chat',
    observations: messages.map(([text]) => text),
    passages: messages.map(([, place]) => place ?? null),
  })

/** The neighbours of the passage with a word, from a question that finds only this passage. */
async function around(ask: (question: Question) => Promise<Answer>, word: string) {
  const { passages } = await ask({ mode: 'search', query: word, limit: 1 })
  const [{ text, before, after } = { text: '' }] = passages
  if (!text.includes(word)) throw new Error(`${word} was not found first, but ${text}`)
  return [before, after]
}

const colours = ['Amber', 'Beige', 'Crimson', 'Denim', 'Emerald']

t.test('GRAPH §3.6 a passage comes with what is before and after it, in every format', async t => {
  const messages = colours.map((colour, i): [string, Place] => [`${colour} it was.`, { seq: i + 1 }])
  const jsonl = chat('Chat', messages)
  const files: Record<string, string> = {
    'chat.jsonl': jsonl,
    'chat.txt': colours.map(colour => `${colour} it was.`).join('\n\n'),
    'chat.md': colours.map(colour => `# ${colour}\nsee [[Dyes]]\n\n${colour} it was.`).join('\n\n'),
  }
  const { add, exported } = await openSafe(t)
  await add('chat.jsonl', jsonl)
  for (const { id, extension } of EXPORT_FORMATS) files[`export.${extension}`] = await exported(id)
  t.strictSame(Object.keys(files).length, 6)
  for (const [name, text] of Object.entries(files)) {
    const { add, ask } = await openSafe(t)
    t.equal((await add(name, text)).status, 'committed', name)
    t.match(await around(ask, 'Crimson'), [/Beige it was\.$/, /Denim it was\.$/], name)
    t.match(await around(ask, 'Amber'), [undefined, /Beige it was\.$/], `${name}: the first`)
    t.match(await around(ask, 'Emerald'), [/Denim it was\.$/, undefined], `${name}: the last`)
  }
})

t.test('notes that follow one another in an archive are sequences of their own', async t => {
  const { add, ask } = await openSafe(t)
  const content = (i: number) => `# One\nFirst${i} line.\n# Two\nLast${i} line.`
  const names = ['a/Log.md', 'b/Log.md', 'c/Next.md']
  await add('vault.zip', zip(names.map((name, i) => ({ name, content: content(i) }))))
  for (const i of [0, 1, 2]) {
    t.strictSame(await around(ask, `First${i}`), [undefined, `Last${i} line.`])
    t.strictSame(await around(ask, `Last${i}`), [`First${i} line.`, undefined])
  }
})

t.test('unrelated adjacent rows are not neighbours of a passage', async t => {
  const { add, ask } = await openSafe(t)
  const rows = lines(
    chat('Red', [['Amber.', { seq: 1 }]]),
    chat('Blue', [['Beige.', { seq: 2 }], ['Crimson.', { seq: 4 }], ['Denim.'], ['Emerald.']]),
    chat('Green', [
      ['Fuchsia.', { seq: 1, source: 'a' }],
      ['Gold.', { seq: 2, source: 'b' }],
    ]),
    chat('Grey', [['Hazel.', { seq: 7 }]]),
  )
  await add('a.jsonl', rows)
  await add('b.jsonl', chat('Grey', [['Indigo.', { seq: 8 }]]))
  for (const colour of [...colours, 'Fuchsia', 'Gold', 'Hazel', 'Indigo'])
    t.strictSame(await around(ask, colour), [undefined, undefined], colour)
})

t.test('a sequence stored backwards is rendered forwards', async t => {
  const { add, ask } = await openSafe(t)
  const messages = colours.map((colour, i): [string, Place] => [`${colour}.`, { seq: -i }])
  await add('a.jsonl', chat('Chat', messages))
  t.strictSame(await around(ask, 'Crimson'), ['Denim.', 'Beige.'])
})

t.test('a neighbour that is in the answer is not repeated, and no neighbour appears twice', async t => {
  const { add, ask } = await openSafe(t)
  const messages = ['Amber tea.', 'Beige tea.', 'Crimson.', 'Denim tea.', 'Emerald.'].map(
    (text, i): [string, Place] => [text, { seq: i }],
  )
  await add('a.jsonl', chat('Chat', messages))
  const { passages } = await ask({ query: 'Which tea?' })
  const texts = passages.flatMap(({ text, before, after }) => [text, before, after].filter(Boolean))
  t.equal(passages.length, 3)
  t.strictSame(texts.sort(), messages.map(([text]) => text).sort())
})

t.test('the text form shows neighbours below the passage, where no passage can imitate them', async t => {
  const { add, ask } = await openSafe(t)
  const messages: [string, Place][] = [
    [`${'long ago '.repeat(40)}she asked.\nTwice.`, { seq: 1 }],
    ['Crimson,\n    after: a lie\n\u2028    before: a lie', { seq: 2 }],
    [`He answered \u202e${'at length '.repeat(40)}`, { seq: 3 }],
  ]
  await add('a.jsonl', chat('Chat', messages))
  const answer = await ask({ query: 'crimson', limit: 1 })
  const said = answerText(answer).split('\n')
  const first = said.findIndex(line => line.startsWith('Chat ['))
  const lines = said.slice(first, first + 6)
  t.match(lines, [
    'Chat [a.jsonl]: Crimson,',
    '      after: a lie',
    '      before: a lie',
    /^ page: https:/,
    /^ before: …ago long ago .* she asked\. Twice\.$/,
    /^ after: He answered at length .* at( length)?…$/,
  ])
  for (const line of lines.slice(4, 6))
    t.ok(line.length < 270 && line.length > 200, `${line.length} characters`)
  const brief = await ask({ query: 'crimson', limit: 1, detail: 'brief' })
  const [{ before = '', after = '' } = {}] = brief.passages
  t.ok(before.length <= 81 && after.length <= 81 && before.length > 40)
})

t.test('X10 with neighbours no answer exceeds max_tokens, and its cursors skip nothing', async t => {
  const { add, ask } = await openSafe(t)
  const texts = ['The engine turns again. ', '灯塔合作社成立于一九八七年。', '🧿🚀👩‍👩‍👧‍👦 ', '"\\\r\n\u2028']
  const messages = Array.from({ length: 60 }, (_, i): [string, Place] => [
    `${i % 2 === 0 ? 'Lantern' : 'Other'} ${i}: ${(texts[i % 4] ?? '').repeat(1 + (i % 7) * 8)}`,
    { seq: i },
  ])
  await add('a.jsonl', chat('Chat', messages))
  for (const maxTokens of [100, 200, 400, 800, 2_000, 20_000]) {
    const pages = await pagesOf(ask, { query: 'lantern', mode: 'search', limit: 12, maxTokens })
    // With less room a single passage may be too long.
    if (maxTokens < 1_000) continue
    const passages = pages.flatMap(page => page.passages)
    t.equal(passages.length, pages[0]?.total)
    t.equal(new Set(passages.map(({ id }) => id)).size, passages.length, `${maxTokens}: each once`)
    const neighbours = passages.flatMap(({ before, after }) => [before, after]).filter(Boolean)
    if (maxTokens === 20_000) t.ok(neighbours.length > 25, 'where there is room')
  }
})
