import { Readable } from 'node:stream'
import t from 'tap'
import { exportFormats } from '../../../formats/writers/index.js'
import { type Answer, answerText } from '../../../safes/ask/answer.js'
import { estimateTokens } from '../../../safes/ask/tokens.js'
import type { Safes } from '../../../safes/safes.js'
import { zip } from '../../zip.js'
import { file, openSafes } from './open.js'

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

/** The neighbours of the passage that has a word, asked for so that it is the only one. */
async function around(domain: Safes, safeId: string, word: string) {
  const { passages } = await domain.ask('ann', safeId, { mode: 'search', query: word, limit: 1 })
  const [{ text, before, after } = { text: '' }] = passages
  if (!text.includes(word)) throw new Error(`${word} was not found first, but ${text}`)
  return [before, after]
}

const colours = ['Amber', 'Beige', 'Crimson', 'Denim', 'Emerald']

t.test(
  'GRAPH §3.6 a passage in a sequence comes with what is before and after it, in every format',
  async t => {
    const { domain } = await openSafes(t)
    const messages = colours.map((colour, i): [string, Place] => [`${colour} it was.`, { seq: i + 1 }])
    const files: Record<string, string> = {
      'chat.jsonl': chat('Chat', messages),
      'chat.txt': colours.map(colour => `${colour} it was.`).join('\n\n'),
      'chat.md': colours.map(colour => `# ${colour}\nsee [[Dyes]]\n\n${colour} it was.`).join('\n\n'),
    }
    const { id: original } = await domain.create('ann', 'Original')
    await domain.import('ann', original, file('chat.jsonl', files['chat.jsonl'] ?? ''))
    for (const { id, extension } of exportFormats) {
      let text = ''
      for await (const chunk of (await domain.export('ann', original, id)).chunks) text += chunk
      files[`export.${extension}`] = text
    }
    t.strictSame(Object.keys(files).length, 6)
    for (const [name, text] of Object.entries(files)) {
      const { id } = await domain.create('ann', name)
      const done = await domain.import('ann', id, file(name, text))
      t.equal(done.status, 'committed', name)
      t.match(await around(domain, id, 'Crimson'), [/Beige it was\.$/, /Denim it was\.$/], name)
      t.match(await around(domain, id, 'Amber'), [undefined, /Beige it was\.$/], `${name}: the first`)
      t.match(await around(domain, id, 'Emerald'), [/Denim it was\.$/, undefined], `${name}: the last`)
    }
  },
)

t.test('notes that follow one another in an archive are sequences of their own', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Vault')
  const bytes = zip(
    ['a/Log.md', 'b/Log.md', 'c/Next.md'].map((name, i) => ({
      name,
      content: `# One\nFirst${i} line.\n# Two\nLast${i} line.`,
    })),
  )
  await domain.import('ann', id, file('vault.zip', Readable.from([bytes])))
  for (const i of [0, 1, 2]) {
    t.strictSame(await around(domain, id, `First${i}`), [undefined, `Last${i} line.`])
    t.strictSame(await around(domain, id, `Last${i}`), [`First${i} line.`, undefined])
  }
})

t.test('unrelated adjacent rows are not neighbours of a passage', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Chance')
  const lines = [
    chat('Red', [['Amber.', { seq: 1 }]]),
    chat('Blue', [['Beige.', { seq: 2 }], ['Crimson.', { seq: 4 }], ['Denim.'], ['Emerald.']]),
    chat('Green', [
      ['Fuchsia.', { seq: 1, source: 'a' }],
      ['Gold.', { seq: 2, source: 'b' }],
    ]),
    chat('Grey', [['Hazel.', { seq: 7 }]]),
  ]
  await domain.import('ann', id, file('a.jsonl', lines.join('\n')))
  await domain.import('ann', id, file('b.jsonl', chat('Grey', [['Indigo.', { seq: 8 }]])))
  for (const colour of [
    'Amber',
    'Beige',
    'Crimson',
    'Denim',
    'Emerald',
    'Fuchsia',
    'Gold',
    'Hazel',
    'Indigo',
  ])
    t.strictSame(await around(domain, id, colour), [undefined, undefined], colour)
})

t.test('a sequence stored backwards is rendered forwards', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Backwards')
  const messages = colours.map((colour, i): [string, Place] => [`${colour}.`, { seq: -i }])
  await domain.import('ann', id, file('a.jsonl', chat('Chat', messages)))
  t.strictSame(await around(domain, id, 'Crimson'), ['Denim.', 'Beige.'])
})

t.test('a neighbour that is in the answer is not repeated, and no neighbour appears twice', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Twice')
  const messages = ['Amber tea.', 'Beige tea.', 'Crimson.', 'Denim tea.', 'Emerald.'].map(
    (text, i): [string, Place] => [text, { seq: i }],
  )
  await domain.import('ann', id, file('a.jsonl', chat('Chat', messages)))
  const { passages } = await domain.ask('ann', id, { query: 'Which tea?' })
  const told = passages.flatMap(({ text, before, after }) => [text, before, after].filter(Boolean))
  t.equal(passages.length, 3)
  t.strictSame(told.sort(), messages.map(([text]) => text).sort())
})

t.test('the text form tells neighbours below the passage, where no passage can imitate them', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Form')
  const messages: [string, Place][] = [
    [`${'long ago '.repeat(40)}she asked.\nTwice.`, { seq: 1 }],
    ['Crimson,\n    after: a lie\n\u2028    before: a lie', { seq: 2 }],
    [`He answered \u202e${'at length '.repeat(40)}`, { seq: 3 }],
  ]
  await domain.import('ann', id, file('a.jsonl', chat('Chat', messages)))
  const answer = await domain.ask('ann', id, { query: 'crimson', limit: 1 })
  const lines = answerText(answer).split('\n').slice(2)
  t.match(lines, [
    'Chat [a.jsonl]: Crimson,',
    '      after: a lie',
    '      before: a lie',
    /^ before: …ago long ago .* she asked\. Twice\.$/,
    /^ after: He answered at length .* at( length)?…$/,
  ])
  for (const line of lines.slice(3, 5))
    t.ok(line.length < 270 && line.length > 200, `${line.length} characters`)
  const brief = await domain.ask('ann', id, { query: 'crimson', limit: 1, detail: 'brief' })
  const [{ before = '', after = '' } = {}] = brief.passages
  t.ok(before.length <= 81 && after.length <= 81 && before.length > 40)
})

t.test('X10 with neighbours no answer exceeds max_tokens, and its cursors skip nothing', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Long')
  const texts = ['The engine turns again. ', '灯塔合作社成立于一九八七年。', '🧿🚀👩‍👩‍👧‍👦 ', '"\\\r\n\u2028']
  const messages = Array.from({ length: 60 }, (_, i): [string, Place] => [
    `${i % 2 === 0 ? 'Lantern' : 'Other'} ${i}: ${(texts[i % 4] ?? '').repeat(1 + (i % 7) * 8)}`,
    { seq: i },
  ])
  await domain.import('ann', id, file('a.jsonl', chat('Chat', messages)))
  for (const maxTokens of [100, 200, 400, 800, 2_000, 20_000]) {
    const seen: string[] = []
    let cursor: string | null = null
    let neighbours = 0
    let total = 0
    do {
      const question = { query: 'lantern', mode: 'search' as const, limit: 12, maxTokens }
      const page: Answer = await domain.ask('ann', id, { ...question, ...(cursor ? { cursor } : {}) })
      for (const form of [JSON.stringify(page), answerText(page)]) {
        const most = estimateTokens(form)
        t.ok(most <= maxTokens, `${most} of ${maxTokens}`)
      }
      seen.push(...page.passages.map(passage => passage.id))
      for (const { before, after } of page.passages) neighbours += Number(!!before) + Number(!!after)
      cursor = page.next_cursor
      total = page.total
    } while (cursor)
    // With less room a single passage may be too much.
    if (maxTokens < 1_000) continue
    t.equal(new Set(seen).size, total, `${maxTokens}: each once`)
    t.equal(seen.length, total)
    if (maxTokens === 20_000) t.ok(neighbours > 25, `${neighbours} neighbours where there is room`)
  }
})
