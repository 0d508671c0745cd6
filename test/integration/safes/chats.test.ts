import { readFileSync } from 'node:fs'
import t from 'tap'
import { zip } from '../../zip.js'
import { openSafe } from './open.js'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/chats/${name}`, import.meta.url))
const contents = (folder: string, names: readonly string[]) =>
  names.map(name => ({ name, content: fixture(`${folder}/${name}`) }))

const chatgpt = contents('chatgpt', [
  'chat.html',
  'conversations.json',
  'message_feedback.json',
  'shared_conversations.json',
  'user.json',
])
const claude = contents('claude', ['conversations.json', 'projects.json', 'users.json'])

t.test('the zip of an export is read, and its questions are found by who was asked', async t => {
  const { add, ask } = await openSafe(t)

  // The zip also has the files that were attached to a conversation.
  const attached = { name: 'file-0001-notes.md', content: '# Notes' }
  const done = await add('chatgpt.zip', zip([...chatgpt, attached]))
  t.match(done, { status: 'committed', counts: { entities: 2, relations: 0, passages: 6 } })
  t.match(await add('claude.zip', zip(claude)), { status: 'committed', counts: { entities: 2, passages: 5 } })

  const asked = await ask({ query: 'What did I ask ChatGPT about sourdough?' })
  for (const passage of asked.passages.slice(0, 2)) {
    const title = 'Sourdough that will not rise > You asked ChatGPT'
    t.match(passage, { title, time: /^2026-05-03/, source: 'chatgpt.zip' })
  }
  t.match(
    asked.passages
      .slice(0, 2)
      .map(({ text }) => text)
      .sort()[1],
    'Why does my sourdough not rise in winter?',
  )
  const first = async (query: string) => (await ask({ query })).passages[0]
  t.match(await first('What did ChatGPT answer about my cold kitchen?'), {
    title: 'Sourdough that will not rise > ChatGPT answered',
  })
  t.match(await first('What did I ask Claude about the lease?'), {
    title: 'Terms of the Harbour lease > You asked Claude',
  })
  const spring = { query: 'What did I ask?', since: '2026-03-01', until: '2026-03-31' }
  const { passages } = await ask(spring)
  t.ok(passages.length > 0)
  for (const { title } of passages) t.match(title, /^Terms of the Harbour lease/)
})

t.test('a ChatGPT export in parts, and conversations.json under another name', async t => {
  const { add } = await openSafe(t)
  const conversations = fixture('chatgpt/conversations.json')
  const other = Buffer.from(conversations.toString().replaceAll('6815f2a0', '6815f2a1'))
  const parts = zip([
    { name: 'export/conversations-000.json', content: conversations },
    { name: 'export/conversations-001.json', content: other },
    { name: 'export/export_manifest.json', content: '{}' },
  ])
  t.match(await add('parts.zip', parts), { status: 'committed', counts: { entities: 4, passages: 12 } })
  const named = await add('my-chats.json', fixture('claude/conversations.json'))
  t.match(named, { status: 'committed', format: 'chats', counts: { entities: 2, passages: 5 } })
  const bad = await add('conversations.json', '[{"mapping":\n')
  t.match(bad, { status: 'failed', badLines: [{ line: 2, problem: 'The file ends before its list does.' }] })
})

t.test(
  'Slack: of an export the people are read first, then the days of channels, and nothing else',
  async t => {
    const { add, rows } = await openSafe(t)
    const file = (name: string, value: object) => ({ name: `export/${name}`, content: JSON.stringify(value) })
    const done = await add(
      'slack.zip',
      zip([
        file('channels.json', [{ id: 'C1', name: 'harbour' }]),
        file('harbour/2024-05-03.json', [
          { type: 'message', user: 'U1', text: 'Paint it', ts: '1714730000.1' },
        ]),
        file('harbour/2024-05-04.json', [
          { type: 'message', subtype: 'channel_join', user: 'U1', text: 'joined', ts: '1714816400.1' },
        ]),
        file('integration_logs.json', [{ user: 'U1' }]),
        file('users.json', [{ id: 'U1', team_id: 'T', name: 'ada', real_name: 'Ada', profile: {} }]),
      ]),
    )
    t.match(done, { status: 'committed', badLineCount: 0, documents: 1 })
    t.match((await rows()).passages, [{ title: '#harbour > Ada, 2024-05-03' }])
  },
)
