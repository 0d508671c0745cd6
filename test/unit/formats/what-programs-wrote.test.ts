import t from 'tap'
import { identify } from '../../../engine/formats/identify.js'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { notionText } from '../../../engine/formats/notes/notion-properties.js'
import { chunks, passages, problems, read, records, shown, text } from './read.js'
import { documentSink } from './sink.js'

const texts = async (format: string, value: unknown, path = 'file.json') =>
  passages(await text(format, typeof value === 'string' ? value : JSON.stringify(value), { path }))

t.test('Claude: artifacts, files, voice notes, projects and memories are read', async t => {
  const use = (name: string, input: unknown) => ({ type: 'tool_use', name, input })
  const chat = {
    uuid: 'c',
    name: 'Rota',
    created_at: '2026-05-01T09:00:00Z',
    chat_messages: [
      { sender: 'human', content: [{ type: 'voice_note', text: 'Said by voice.' }] },
      {
        sender: 'assistant',
        content: [
          { type: 'text', text: 'Here.' },
          use('artifacts', {
            id: 'a',
            command: 'create',
            type: 'text/markdown',
            title: 'Rota',
            content: '# Mon: Bo',
          }),
          use('artifacts', { id: 'a', command: 'update', old_str: 'Bo', new_str: 'Cy' }),
          use('create_file', { path: '/tmp/lamp.py', file_text: 'print(1)' }),
          use('web_search', { query: 'none of this' }),
        ],
      },
    ],
  }
  const project = {
    uuid: 'p',
    name: 'Harbour',
    prompt_template: 'Be brief.',
    docs: [{ filename: 'oil.md', content: 'Colza.' }],
  }
  const memory = {
    conversations_memory: 'Keeps lamps.',
    project_memories: { p: 'Burns colza.' },
    account_uuid: 'u',
  }
  const said = async (value: unknown) =>
    (await texts('chats', [value])).map(({ title, text }) => [title, text])
  t.strictSame(await said(chat), [
    ['Rota > You asked Claude', 'Said by voice.'],
    ['Rota > Claude answered', 'Here.'],
    ['Rota > Claude wrote Rota', '# Mon: Bo'],
    ['Rota > Claude changed Rota', 'Cy'],
    ['Rota > Claude wrote lamp.py', '~~~~\nprint(1)\n~~~~'],
  ])
  t.strictSame(await said(project), [
    ['Harbour > Instructions', 'Be brief.'],
    ['Harbour > oil.md', 'Colza.'],
  ])
  t.strictSame(
    (await said(memory)).map(([, text]) => text),
    ['Keeps lamps.', 'Burns colza.'],
  )
})

t.test('ChatGPT: its canvas is read, when it is written and when it is changed', async t => {
  const canvas = (recipient: string, value: unknown, parent: string | null) => ({
    parent,
    message: {
      author: { role: 'assistant' },
      recipient,
      create_time: 1_777_626_000,
      content: { content_type: 'code', text: typeof value === 'string' ? value : JSON.stringify(value) },
    },
  })
  const mapping = {
    a: canvas('canmore.create_textdoc', { name: 'Log', type: 'document', content: 'Fog.' }, null),
    b: canvas('canmore.update_textdoc', { updates: [{ pattern: '.*', replacement: 'Clear.' }] }, 'a'),
    c: canvas('canmore.create_textdoc', { name: 'x', type: 'code/python', content: 'x = 1' }, 'b'),
    d: canvas('canmore.create_textdoc', 'not JSON', 'c'),
  }
  const found = await texts('chats', [{ id: 'g', title: 'T', mapping, current_node: 'd' }])
  t.strictSame(
    found.map(({ title, text }) => [title, text]),
    [
      ['T > ChatGPT wrote Log', 'Fog.'],
      ['T > ChatGPT changed a document', 'Clear.'],
      ['T > ChatGPT wrote x', '~~~~python\nx = 1\n~~~~'],
    ],
  )
})

t.test('Slack: messages that stand in blocks only are read', async t => {
  const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements })
  const word = (text: string) => ({ type: 'text', text })
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Tide' } },
    {
      type: 'rich_text',
      elements: [
        section(
          word('See '),
          { type: 'link', url: 'https://example.org/t', text: 'it' },
          { type: 'user', user_id: 'U1' },
        ),
        { type: 'rich_text_list', style: 'ordered', elements: [section(word('ebb')), section(word('flow'))] },
        { type: 'rich_text_quote', elements: [word('calm')] },
        { type: 'rich_text_preformatted', elements: [word('x = 1')] },
      ],
    },
    { type: 'section', fields: [{ type: 'mrkdwn', text: 'High: 9' }] },
  ]
  const message = { type: 'message', user: 'U1', ts: '1777626001.0001', text: '', blocks }
  const bot = { type: 'message', bot_id: 'B1', username: 'tide', ts: '1777626002.0001', text: 'New', blocks }
  const [first] = await texts('slack', [message], 'quay/2026-05-01.json')
  t.equal(
    first?.text,
    'U1: Tide\nSee it (https://example.org/t)@U1\n1. ebb\n1. flow\n> calm\n```\nx = 1\n```\nHigh: 9',
  )
  t.match((await texts('slack', [bot], 'quay/2026-05-01.json'))[0]?.text, /^tide: Tide\n/)
})

t.test('WhatsApp: dates in Arabic and Persian digits, with marks of direction', async t => {
  const arabic =
    '\u200f٥\u200f/١\u200f/٢٠٢٥، ٢:٠٣ م - ليلى: مرحبا ٣\n\u200f٢٥\u200f/١\u200f/٢٠٢٥، ٣:٠٥ ص - سامي: نعم\n'
  const persian = '[۱۴\u200f/۲\u200f/۲۰۲۵، ۹:۰۵:۱۲] سارا: سلام\n'
  const times = async (chat: string) =>
    (await texts('whatsapp', chat, '_chat.txt')).map(({ text, time }) => [
      text,
      new Date(time ?? 0).toISOString(),
    ])
  t.strictSame(await times(arabic), [
    ['ليلى: مرحبا ٣', '2025-01-05T14:03:00.000Z'],
    ['سامي: نعم', '2025-01-25T03:05:00.000Z'],
  ])
  t.strictSame(await times(persian), [['سارا: سلام', '2025-02-14T09:05:12.000Z']])
  t.match(identify('محادثة.txt', Buffer.from(arabic)), { format: { id: 'whatsapp' } })
})

t.test(
  'MCP memory: a marker of another server is none of its lines, and read_graph may be saved as a file',
  async t => {
    const lines = [
      { type: '_aim', source: 'mcp-knowledge-graph' },
      { type: 'entity', name: 'Bo', entityType: 'person', observations: ['Rows'] },
    ]
    const jsonl = lines.map(line => JSON.stringify(line)).join('\n')
    t.match(identify('m.jsonl', Buffer.from(jsonl)), { format: { id: 'jsonl' } })
    t.strictSame(shown(await text('jsonl', jsonl)), ['Bo is Bo (person)', 'Bo: Rows'])
    const entities = [{ name: 'Bo', entityType: 'person', observations: ['Rows'] }]
    const relations = [{ type: 'relation', from: 'Bo', to: 'Quay', relationType: 'works at' }, { from: 'Bo' }]
    for (const graph of [{ entities, relations }, { structuredContent: { entities, relations } }]) {
      const whole = JSON.stringify(graph, null, 2)
      t.match(identify('graph.json', Buffer.from(whole)), { format: { id: 'memorygraph' } })
      const parsed = await text('memorygraph', whole)
      t.strictSame(shown(parsed), ['Bo is Bo (person)', 'Bo: Rows', 'Bo — works at → Quay'])
      t.match(problems(parsed), [[Number, '"relationType" is missing or not a text.']])
    }
  },
)

t.test(
  'a canvas of Obsidian: its cards from top to bottom, its notes as links, its arrows in words (JSON Canvas 1.0)',
  async t => {
    const document = documentSink()
    const canvas = {
      nodes: [
        { id: '2', type: 'file', file: 'Oil.md', x: 0, y: 9 },
        { id: '1', type: 'text', text: 'Light [[Lamp]]', x: 0, y: 1 },
        { id: '3', type: 'link', url: 'https://example.org/', x: 5, y: 9 },
        { id: '4', type: 'group', label: 'Stores', x: 0, y: 5 },
      ],
      edges: [
        { fromNode: '1', toNode: '2', label: 'burns' },
        { fromNode: '1', toNode: '3' },
      ],
    }
    const notes = new NoteNames(['Oil.md', 'Lamp.md'])
    const parsed = await text('canvas', JSON.stringify(canvas), { path: 'Board.canvas', notes, document })
    t.equal(
      document.said[0]?.text,
      'Light [[Lamp]]\n\n## Stores\n\n[[Oil.md]]\n\n<https://example.org/>\n\n- Light [[Lamp]] → [[Oil.md]]: burns\n',
    )
    t.strictSame(
      shown(parsed).filter(line => line.includes('→')),
      ['Board — links to → Lamp', 'Board — links to → Oil'],
    )
    await t.rejects(text('canvas', '{"nodes": [', { path: 'Board.canvas' }), /damaged.*save it again/)
  },
)

t.test('a page of Notion shows each property on a line, and pages as links without ids', async t => {
  const [one, two] = ['1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d', '3c4d5e6f7a8b9c0d1e2f3a4b5c6d1a2b']
  const page = [
    '# Lamp',
    '',
    `Blocked By: Oil, and wick (Oil,%20and%20wick%20${two}.md), Tea (../Tea%20${one}.md)`,
    'Status: Open',
    `Plan: Lamp%20${one}/plan%20b.pdf`,
    '',
    `Read [tea](Tea%20${one}.md) and [this](https://example.org/a%20b).`,
    '',
  ].join('\n')
  const parts: Uint8Array[] = []
  const file = { path: 'Lamp.md', notes: new NoteNames(['Lamp.md', 'Tea.md', 'Oil, and wick.md']) }
  for await (const part of notionText(chunks(page), file)) parts.push(part)
  const written = Buffer.concat(parts).toString()
  t.equal(
    written,
    '# Lamp\n\nBlocked By: [Oil, and wick](<Oil, and wick.md>), [Tea](../Tea.md)  \nStatus: Open  \nPlan: [plan b.pdf](<Lamp/plan b.pdf>)  \n\nRead [tea](Tea.md) and [this](https://example.org/a%20b).\n',
  )
  const parsed = await text('markdown', written, { ...file, notion: { database: null } })
  t.strictSame(
    shown(parsed).filter(line => line.includes('→')),
    [
      'Lamp — Blocked By → Oil, and wick',
      'Lamp — Blocked By → Tea',
      'Lamp — Status → Open',
      'Lamp — Plan → plan b.pdf',
      'Lamp — links to → Tea',
    ],
  )
  t.notMatch(JSON.stringify(records(parsed)), /(?<!a)%20|[0-9a-f]{32}/)
})

t.test(
  'titles of WordPress and items of outlines: entities are letters, and links of items stay',
  async t => {
    const item = (title: string) =>
      `<item><title><![CDATA[${title}]]></title><wp:post_type>post</wp:post_type><content:encoded><![CDATA[<p>x</p>]]></content:encoded></item>`
    const site = `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>${item('Oil &amp; wick&mdash;a &#8220;log&#8221;')}${item('a < b')}</channel></rss>`
    t.strictSame(
      records(await text('wordpress', site)).flatMap(record =>
        record.kind === 'entity' ? [record.name] : [],
      ),
      ['Oil & wick—a “log”', 'a < b'],
    )
    const opml =
      '<opml><head><title>L</title></head><body><outline text="Lamp &amp;amp; &lt;b&gt;oil&lt;/b&gt;"><outline text="See &lt;a href=&quot;https://example.org/w&quot;&gt;the site&lt;/a&gt; &amp;lt;3"/></outline></body></opml>'
    t.match(passages(await text('opml', opml, { path: 'l.opml' })), [
      { title: 'L > Lamp & oil', text: '- See [the site](https://example.org/w) <3' },
    ])
  },
)

t.test('a tiddler may have its text among its fields', async t => {
  const said = async (tiddler: string) =>
    passages(await text('tiddlywiki', tiddler, { path: 'd.tid' })).map(({ text }) => text)
  t.strictSame(await said("title: Delta\ntext: Words ''here''\n"), ['Words **here**'])
  t.strictSame(await said('title: Delta\ntext: no\n\nWords below\n'), ['Words below'])
})

t.test('JSON and JSON-LD: whole numbers beyond 2^53 keep their digits, so that two ids stay two', async t => {
  const ids =
    '[{"id": 90071992547409931, "name": "A \\" 90071992547409932"}, {"id": -90071992547409932, "x": 0.12345678901234567}]'
  const cells = JSON.stringify(records(await text('jsontable', ids)))
  for (const digits of ['90071992547409931', '-90071992547409932', '90071992547409932"', '0.12345678901234'])
    t.ok(cells.includes(digits), digits)
  const node =
    '{"@context": {"@vocab": "http://example.org/"}, "@id": "http://example.org/a", "number": 90071992547409931}'
  t.ok(shown(await text('jsonld', node)).includes('a — number → 90071992547409931'))
})

t.test('Discord and Messenger: chats in JSON, with who wrote, what is attached, and when', async t => {
  const discord = {
    guild: { id: '1', name: 'Harbour' },
    channel: { id: '2', type: 'GuildTextChat', name: 'lamps' },
    messages: [
      {
        id: '3',
        type: 'Default',
        timestamp: '2026-05-01T09:00:00+00:00',
        content: 'Oil came.',
        author: { id: '9', name: 'bo', nickname: 'Bo' },
        attachments: [{ fileName: 'bill.pdf' }],
        embeds: [{ title: 'Shop', url: 'https://example.org/' }],
        reactions: [{ emoji: { name: '+1' }, count: 2 }],
      },
      {
        type: 'ChannelPinnedMessage',
        timestamp: '2026-05-01T09:01:00Z',
        content: 'Pinned.',
        author: { id: '9' },
      },
    ],
  }
  t.match(identify('x.json', Buffer.from(JSON.stringify(discord))), { format: { id: 'discord' } })
  const parsed = await text('discord', JSON.stringify(discord))
  t.ok(shown(parsed).includes('Discord 9 is Bo (person)'))
  t.match(passages(parsed), [
    {
      title: 'Discord: Harbour #lamps > Bo, 2026-05-01',
      text: 'Bo: Oil came.\nShop\nhttps://example.org/\nAttached: bill.pdf\nReactions: +1 2',
    },
  ])
  const messenger = {
    participants: [{ name: 'J\u00c3\u00b8rn' }],
    messages: [
      { sender_name: 'J\u00c3\u00b8rn', timestamp_ms: 1_777_626_000_000, content: 'Caf\u00c3\u00a9' },
      { sender_name: 'Ada', timestamp_ms: 1_777_626_001_000, photos: [{ uri: 'a/b/lamp.jpg' }] },
    ],
  }
  const whole = JSON.stringify(messenger)
  t.match(identify('message_1.json', Buffer.from(whole)), { format: { id: 'messenger' } })
  t.match(passages(await text('messenger', whole, { path: 'inbox/lamps_1234567890/message_1.json' })), [
    { title: /^Messenger: lamps > Jørn, Ada/, text: 'Jørn: Café\n\nAda: Attached: lamp.jpg' },
  ])
})

t.test('Todoist: tasks with their section, the task they are part of, priority and dates', async t => {
  const file = `TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
task,Order oil,,4,1,Ada (1),,,en,
section,Lamp room,,,,,,,,
task,Clean the lamp @weekly,With vinegar,1,1,Ada (1),Bob (2),every Friday,en,
task,Polish the lens,,4,2,Ada (1),,,en,
note,Use the soft cloth,,,,Ada (1),,,,
,,,,,,,,,
task,Polish the lens,,4,1,Ada (1),,,en,
`
  t.match(identify('Harbour.csv', Buffer.from(file)), { format: { id: 'todoist' } })
  const parsed = await read('todoist', chunks(file), { path: 'Harbour [2203306141].csv' })
  t.strictSame(shown(parsed), [
    'Harbour > Order oil is Order oil (task)',
    'Harbour > Order oil — in project → Harbour',
    'Harbour > Order oil: Order oil',
    'Harbour > Lamp room is Lamp room (section)',
    'Harbour > Lamp room — in project → Harbour',
    'Harbour > Lamp room > Clean the lamp @weekly is Clean the lamp @weekly (task)',
    'Harbour > Lamp room > Clean the lamp @weekly — priority → 1',
    'Harbour > Lamp room > Clean the lamp @weekly — due → every Friday',
    'Harbour > Lamp room > Clean the lamp @weekly — assigned to → Bob (2)',
    'Harbour > Lamp room > Clean the lamp @weekly — tagged → weekly',
    'Harbour > Lamp room > Clean the lamp @weekly — in section → Harbour > Lamp room',
    'Harbour > Lamp room > Clean the lamp @weekly — in project → Harbour',
    'Harbour > Lamp room > Clean the lamp @weekly: Clean the lamp @weekly',
    'Harbour > Lamp room > Polish the lens is Polish the lens (task)',
    'Harbour > Lamp room > Polish the lens — part of → Harbour > Lamp room > Clean the lamp @weekly',
    'Harbour > Lamp room > Polish the lens — in section → Harbour > Lamp room',
    'Harbour > Lamp room > Polish the lens — in project → Harbour',
    'Harbour > Lamp room > Polish the lens: Polish the lens',
    'Harbour > Lamp room > Polish the lens (2) is Polish the lens (task)',
    'Harbour > Lamp room > Polish the lens (2) — in section → Harbour > Lamp room',
    'Harbour > Lamp room > Polish the lens (2) — in project → Harbour',
    'Harbour > Lamp room > Polish the lens (2): Polish the lens',
  ])
  t.match(passages(parsed), [
    {},
    { text: 'Clean the lamp @weekly\nDue: every Friday\nWith vinegar' },
    { text: 'Polish the lens\nUse the soft cloth' },
  ])
  await t.rejects(read('todoist', chunks('TYPE,CONTENT\ntask,"a')), { message: /damaged/ })
  await t.rejects(read('todoist', chunks('TYPE,CONTENT,PRIORITY\n')), { message: /no tasks/ })
})
