import { readFileSync } from 'node:fs'
import t from 'tap'
import { findFormat } from '../../../engine/formats/formats.js'
import { identify } from '../../../engine/formats/identify.js'
import { chunks, fixture, passages, problems, read, text } from './read.js'

const chat = (value: unknown) => text('chats', JSON.stringify(value))

t.test('ChatGPT: of a conversation what is shown is read (all of it: exact-records)', async t => {
  const parsed = await read('chats', fixture('chats/chatgpt/conversations.json'))
  t.strictSame(problems(parsed), [])
  const said = passages(parsed)
  t.match(said[1]?.text, /°C\.\s+Keep the starter/, 'without the mark of the citation')
  t.match(said[2]?.text, /log\?\n\nAttached: starter\.jpg$/)
  t.match(said[3]?.text, /```python\nprint\(read_temperature\(\)\)\n```$/)
  const all = JSON.stringify(parsed)
  for (const hidden of ['Lisbon', 'bred flat', 'kitchen may be', 'Thought for', 'search(', '24 to 27'])
    t.notMatch(all, hidden, `${hidden} is not shown`)
})

t.test('chats: a long message is split at paragraphs, and its code stays code', async t => {
  const answer = `${'A sentence of an answer. '.repeat(20)}\n\n`.repeat(6)
  const code = `\`\`\`js\n${'const answer = 42\n'.repeat(200)}\`\`\``
  const message = { sender: 'assistant', text: `${answer}\n${code}\nDone.` }
  const said = passages(await chat([{ uuid: '1', name: 'Long', chat_messages: [message] }]))
  t.ok(said.length > 3)
  t.ok(said.every(({ text }) => text.length <= 2_500))
  t.strictSame(
    said.map(({ seq }) => seq),
    said.map((_, at) => at + 1),
  )
  for (const { text } of said) t.equal((text.match(/```/g)?.length ?? 0) % 2, 0, 'code is closed')
})

t.test('chats: what is no conversation is named by its line', async t => {
  const parsed = await text(
    'chats',
    '[\n{"mapping": {}, "id": "1"},\n{"a": 1},\n{"uuid": "2" "x"},\n"\xff", 3,\n{"mapping": {}}]',
  )
  t.strictSame(problems(parsed), [
    [3, 'This is not a conversation: ChatGPT’s have a “mapping”, Claude’s have “chat_messages”.'],
    [4, 'This is not JSON.'],
    [5, 'This is not a conversation: ChatGPT’s have a “mapping”, Claude’s have “chat_messages”.'],
    [5, 'This is not a conversation: ChatGPT’s have a “mapping”, Claude’s have “chat_messages”.'],
    [6, 'This conversation has no id.'],
  ])
  t.match(problems(await text('chats', '[{"mapping": {}, "id": "1"},\n')), [[2, /ends before its list/]])
  t.match(problems(await text('chats', '\n{"mapping": {}}')), [[2, /not a list/]])
  t.match(problems(await text('chats', ' ')), [[1, /not a list/]])
  t.match(problems(await text('chats', Buffer.from('[{"a": "\xff"}]', 'latin1'))), [[1, /not UTF-8/]])
})

t.test('chats: messages whose parents form a circle are read once', async t => {
  const message = (text: string) => ({
    author: { role: 'user' },
    content: { content_type: 'text', parts: [text] },
  })
  const mapping = {
    a: { message: message('One'), parent: 'b' },
    b: { message: message('Two'), parent: 'a' },
    __proto__: null,
  }
  const parsed = await chat([{ id: '1', title: 'Circle', mapping, current_node: 'a' }])
  t.strictSame(
    passages(parsed).map(({ text }) => text),
    ['Two', 'One'],
  )
})

t.test('chats: every conversation is read wherever the file is cut, and no further than needed', async t => {
  const one = await read('chats', fixture('chats/chatgpt/conversations.json'))
  const whole = readFileSync(new URL('../../fixtures/chats/chatgpt/conversations.json', import.meta.url))
  for (const size of [1, 2, 3, 1_000]) {
    t.strictSame(await read('chats', chunks(whole, size)), one, `${size} bytes at a time`)
  }
  let begun = 0
  const many = async function* () {
    yield Buffer.from('[')
    for (; begun < 100; begun++)
      yield Buffer.from(`{"uuid": "${begun}", "chat_messages": [{"sender": "human", "text": "Hi"}]},`)
    yield Buffer.from('{"mapping": {}, "id": "last"}]')
  }
  let said = 0
  for await (const batch of findFormat('chats')?.parse(many()) ?? []) {
    said += batch.filter(parsed => 'record' in parsed && parsed.record.kind === 'passage').length
    t.ok(begun - said <= 1, `${said} of ${begun} conversations`)
  }
  t.equal(said, 100)
})

t.test('chats: one larger than 4 MiB or nested too deeply is a problem, the others are read', async t => {
  const parts = ['[', `{"id": "1", "mapping": ${'['.repeat(100_000)}${']'.repeat(100_000)}},\n`]
  const long = Buffer.alloc(1_048_576, 'x')
  const bytes = async function* () {
    for (const part of parts) yield Buffer.from(part)
    yield Buffer.from('{"id": "2", "title": "')
    for (let mebibytes = 0; mebibytes < 5; mebibytes++) yield long
    yield Buffer.from(
      '", "mapping": {}},\n{"uuid": "3", "name": "Good", "chat_messages": [{"sender": "human", "text": "Hi"}]}]',
    )
  }
  const parsed = await read('chats', bytes())
  t.strictSame(problems(parsed), [
    [1, 'This item is nested more than 200 levels deep.'],
    [2, 'This item is larger than 4 MiB.'],
  ])
  t.equal(passages(parsed).length, 1)
})

t.test('chats: one of more than 200,000 values is a problem, whatever they are', async t => {
  const withValues = (values: string) =>
    `{"uuid": "1", "chat_messages": [{"sender": "human", "text": "Hi"}], "more": ${values}}`
  const list = (value: string, count: number) => `[${Array.from({ length: count }, () => value).join(',')}]`
  const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}": 1`).join(',')}}`
  const outcome = async (values: string) =>
    problems(await read('chats', chunks(`[${withValues(values)}]`, 65_536))).map(([, problem]) => problem)
  const refused = ['This item has more than 200,000 values.']
  // Six are around them.
  for (const few of [
    list('[]', 199_994),
    list('[ ]', 199_994),
    list('{}', 199_994),
    list('",[{"', 199_994),
    members(199_994),
  ])
    t.strictSame(await outcome(few), [])
  for (const many of [
    list('[]', 199_995),
    list('{ }', 199_995),
    list('0', 199_995),
    members(199_995),
    list('[[1]]', 100_000),
  ])
    t.strictSame(await outcome(many), refused)
})

t.test('chats: known by the name of the file and by how it begins', t => {
  for (const name of [
    'conversations.json',
    'conversations-012.json',
    'conversations (1).json',
    'a/Conversations.JSON',
  ])
    t.equal(findFormat(name)?.id, 'chats', name)
  for (const name of ['memory.json', 'my-conversations.json', 'conversations.json.jsonl'])
    t.equal(findFormat(name)?.id, 'jsonl', name)
  const begun = (start: string) => {
    const found = identify('memory.json', Buffer.from(start))
    return found && 'format' in found ? found.format.id : found
  }
  t.strictSame(['[{"uuid": ""', '\ufeff\n [ {"mapping":', '{"type": "entity"', ''].map(begun), [
    'chats',
    'chats',
    'jsonl',
    'jsonl',
  ])
  t.end()
})
