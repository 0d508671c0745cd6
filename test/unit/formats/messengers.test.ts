import t from 'tap'
import { identify } from '../../../engine/formats/identify.js'
import { chunks, passages, problems, read, shown, text } from './read.js'
import { documentSink } from './sink.js'

t.test('Slack: a day of a channel, with names, links and people who are found in mail, too', async t => {
  const names = new Map<string, string>()
  const users = JSON.stringify([
    {
      id: 'U1',
      team_id: 'T',
      name: 'ada',
      real_name: 'Ada Lovelace',
      profile: { email: 'Ada@example.org', display_name: 'Countess' },
    },
  ])
  t.strictSame(shown(await read('slack', chunks(users), { path: 'users.json', names })), [
    'ada@example.org is Ada Lovelace (person)',
    'ada@example.org alias Ada@example.org',
    'Slack U1 is Ada Lovelace (person)',
    'Slack U1 alias Countess',
    'Slack U1 alias ada',
    'Slack U1 is the same as ada@example.org',
  ])
  const day = JSON.stringify([
    { type: 'message', subtype: 'channel_join', user: 'U1', text: '<@U1> has joined', ts: '1714730000.0001' },
    {
      type: 'message',
      user: 'U2',
      user_profile: { real_name: 'Bob' },
      text: 'Who paints, <@U1>? See <https://e.org/a|the plan> &amp; <#C1|general>',
      ts: '1714730001.0001',
    },
    { type: 'message', user: 'U1', text: 'Me.', files: [{ name: 'red.pdf' }], ts: '1714730002.0001' },
    { type: 'message', user: 'U1', text: 'Done.', ts: '1714740002.0001' },
  ])
  t.match(identify('2024-05-03.json', Buffer.from(day)), { format: { id: 'slack' } })
  const long = JSON.stringify([
    { type: 'message', user: 'U061A1R2R', text: 'a'.repeat(2_000), ts: '1714730000.0001' },
  ])
  t.match(identify('2024-05-03.json', Buffer.from(long)), { format: { id: 'slack' } }, 'a long first message')
  const document = documentSink()
  const parsed = await read('slack', chunks(day), { path: 'harbour/2024-05-03.json', names, document })
  t.strictSame(shown(parsed), [
    'Slack #harbour is #harbour (Slack channel)',
    'Slack U2 is Bob (person)',
    'Slack #harbour — has messages from → Slack U2',
    'Slack U1 is Ada Lovelace (person)',
    'Slack #harbour — has messages from → Slack U1',
    '#harbour > Bob, Ada Lovelace, 2024-05-03: Bob: Who paints, @Ada Lovelace? See the plan (https://e.org/a) & #general',
    '#harbour > Ada Lovelace, 2024-05-03: Ada Lovelace: Done.',
  ])
  t.equal(passages(parsed)[0]?.time, 1_714_730_001_000)
  t.match(passages(parsed)[0]?.text, /Ada Lovelace: Me\.\nAttached: red\.pdf$/)
  t.match(document.said, [{ title: '#harbour, 2024-05-03' }])
})

t.test('Slack: what programs wrote, messages passed on, comments on files', async t => {
  const said = async (message: object) => {
    const day = JSON.stringify([{ type: 'message', ts: '1714730001.1', ...message }])
    const names = new Map([['U1', 'Ada']])
    return passages(await read('slack', chunks(day), { path: 'harbour/2024-05-03.json', names }))[0]?.text
  }
  const preview = { title: 'The plan', title_link: 'https://e.org/plan', text: 'Paint it.' }
  const fields = [{ title: 'Status', value: 'open' }, { value: '<https://e.org|here>' }]
  const build = { pretext: 'Build 5', fallback: 'unread', fields }
  t.equal(
    await said({ subtype: 'bot_message', username: 'Harbour bot', text: '', attachments: [preview, build] }),
    'Harbour bot: The plan https://e.org/plan\nPaint it.\nBuild 5\nStatus: open\nhere (https://e.org)',
  )
  t.equal(await said({ user: 'U1', text: '', attachments: [{ fallback: 'Down' }] }), 'Ada: Down')
  t.equal(
    await said({
      user: 'U1',
      text: 'See',
      attachments: [{ is_share: true, author_name: 'Bob', text: 'Red.' }, preview],
    }),
    'Ada: See\nBob:\nRed.',
    'previews of links are none of it',
  )
  t.equal(
    await said({ subtype: 'file_comment', comment: { user: 'U1' }, text: 'Call <tel:123|1 23>' }),
    'Ada: Call 1 23',
  )
})

t.test('WhatsApp: messages with any form of date, without notes of the program', async t => {
  const chats = {
    'Android, day first': [
      '25/12/2023, 21:05 - Ada: Merry\nChristmas\n25/12/2023, 21:06 - Bob: You, too',
      '2023-12-25T21:05',
    ],
    'Android, month first': [
      '12/25/23, 9:05 PM - Ada: Merry\nChristmas\n12/25/23, 9:06 PM - Bob: You, too',
      '2023-12-25T21:05',
    ],
    'iOS, German': [
      '\u200e[25.12.23, 21:05:30] Ada: Merry\nChristmas\n[25.12.23, 21:06:00] Bob: You, too',
      '2023-12-25T21:05',
    ],
    'iOS, narrow space': [
      '[5/3/24, 9:05:30\u202fAM] Ada: Merry\nChristmas\n[5/3/24, 9:06:00\u202fAM] Bob: You, too',
      '2024-05-03T09:05',
    ],
    'Spanish, half of the day': [
      '25/12/23, 9:05 p.\u00a0m. - Ada: Merry\nChristmas\n25/12/23, 9:06 p.\u00a0m. - Bob: You, too',
      '2023-12-25T21:05',
    ],
    'Chinese, half of the day': [
      '2023/12/25 下午9:05 - Ada: Merry\nChristmas\n2023/12/25 下午9:06 - Bob: You, too',
      '2023-12-25T21:05',
    ],
    'Korean, before noon': [
      '[2024. 5. 3. 오전 9:05:30] Ada: Merry\nChristmas\n[2024. 5. 3. 오전 9:06:00] Bob: You, too',
      '2024-05-03T09:05',
    ],
    Finnish: [
      '25.12.2023 klo 21.05 - Ada: Merry\nChristmas\n25.12.2023 klo 21.06 - Bob: You, too',
      '2023-12-25T21:05',
    ],
    'year first': [
      '2023/12/25, 21:05 - Ada: Merry\nChristmas\n2023/12/25, 21:06 - Bob: You, too',
      '2023-12-25T21:05',
    ],
  }
  for (const [name, [text = '', time = '']] of Object.entries(chats)) {
    t.match(identify('_chat.txt', Buffer.from(text)), { format: { id: 'whatsapp' } }, name)
    t.match(identify('notes.txt', Buffer.from(text)), { format: { id: 'whatsapp' } }, name)
    const first = text.split('Ada')[0]
    const noise = `${first}Messages are end-to-end encrypted\n${text}\n${first}Bob: <Media omitted>\n${first}Bob: <Mídia oculta>\n`
    const parsed = await read('whatsapp', chunks(noise), { path: '_chat.txt' })
    t.strictSame(problems(parsed), [], name)
    t.match(shown(parsed)[0], 'WhatsApp: Ada, Bob is WhatsApp: Ada, Bob (WhatsApp chat)')
    const [said] = passages(parsed)
    t.equal(said?.text, 'Ada: Merry\nChristmas\n\nBob: You, too', name)
    t.equal(new Date(said?.time ?? 0).toISOString().slice(0, 16), time, name)
  }
  const notices = [
    'Harbour: \u200eNachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.',
    'Ada: Hi\u200e<Diese Nachricht wurde bearbeitet.>',
    'Ada: \u200eDu hast diese Nachricht gelöscht.',
    'Bob: \u200eLocation: https://e.org',
  ].map((line, at) => `[31.12.24, 20:52:2${at}] ${line}\n`)
  const group = await read('whatsapp', chunks(notices.join('')), { path: '_chat.txt' })
  t.match(shown(group)[0], 'WhatsApp: Harbour is WhatsApp: Harbour (WhatsApp chat)')
  t.strictSame(
    passages(group).map(({ text }) => text),
    ['Ada: Hi\n\nBob: Location: https://e.org'],
  )
  for (const [day, time] of [
    ['2023/12/31', Date.UTC(2023, 11, 31, 21, 5)],
    ...['2023/13/01', '2023/12/32', '2150/01/01'].map(day => [day, undefined] as const),
  ] as const)
    t.strictSame(passages(await read('whatsapp', chunks(`${day}, 21:05 - Ada: Hi`)))[0]?.time, time, day)
  t.match(problems(await read('whatsapp', chunks('nothing'))), [[1, /no messages/]])
  t.match(identify('diary.txt', Buffer.from('2023-12-25 21:05 I went home')), { format: { id: 'text' } })
})

t.test('Signal: chat.md of signal-export is a chat, and other notes are none', async t => {
  const chat = [
    '[2024-05-03 10:00:00] Ada: Who paints?  ',
    'And when?  ',
    '(- Bob: 👍, Me: ❤ -)',
    '[2024-05-03 10:01:30] Me: ',
    '',
    '> Who paints?',
    '',
    'I do: tomorrow  ![IMG 1.jpg](./media/2024-05-03_IMG%201.jpg)  (media not exported)  ',
    '[2024-05-03 10:02:00] Ada: (This message was deleted)',
    '[2024-05-03 10:03:00] Ada:   ',
    '(( 😀 ))',
    '[2024-05-03 10:04:00] No-Sender: Missed voice call  ',
    '[2024-05-04 10:00:00] Bob: [📎](../exported_stickers/p/1.png)  ',
    '',
  ].join('\n')
  t.match(identify('Harbour/chat.md', Buffer.from(chat)), { format: { id: 'signal' } })
  for (const other of [
    '# Log\n\n[2024-05-03 10:00:00] Ada: a',
    '[2024] a: b',
    '- [2024-05-03 10:00:00] a: b',
  ])
    t.match(identify('chat.md', Buffer.from(other)), { format: { id: 'markdown' } }, other)
  for (const size of [1, 100_000]) {
    const document = documentSink()
    const parsed = await read('signal', chunks(chat, size), { path: 'Signal/Harbour/chat.md', document })
    t.strictSame(shown(parsed).slice(0, 3), [
      'Signal: Harbour is Signal: Harbour (Signal chat)',
      'Ada is Ada (person)',
      'Signal: Harbour — has messages from → Ada',
    ])
    t.strictSame(
      passages(parsed).map(({ title, text, time }) => [title, text, time]),
      [
        [
          'Signal: Harbour > Ada, Me, Somebody, 2024-05-03',
          'Ada: Who paints?\nAnd when?\nReactions: Bob: 👍, Me: ❤\n\nMe:\n> Who paints?\n\nI do: tomorrow\nAttached: IMG 1.jpg\n\nAda: 😀\n\nSomebody: Missed voice call',
          Date.UTC(2024, 4, 3, 10),
        ],
        ['Signal: Harbour > Bob, 2024-05-04', 'Bob: 📎', Date.UTC(2024, 4, 4, 10)],
      ],
    )
    t.match(document.said, [{ title: 'Signal: Harbour', time: Date.UTC(2024, 4, 3, 10) }])
  }
  t.strictSame(problems(await read('signal', chunks('a'), { path: 'a/chat.md' })), [
    [1, 'This chat has no messages of Signal.'],
  ])
})

t.test('Messenger: chats that only their members can read, and Discord: what a message answers', async t => {
  const at = Date.UTC(2026, 4, 1, 9)
  const e2ee = {
    participants: ['Ines', 'Tomas'],
    threadName: 'Ines_42',
    messages: [
      {
        isUnsent: false,
        media: [{ uri: './media/a.jpg' }],
        senderName: 'Ines',
        text: 'Grüße',
        timestamp: at,
      },
      { isUnsent: true, media: [], senderName: 'Tomas', text: 'gone', timestamp: at },
    ],
  }
  const [chat] = passages(await text('messenger', JSON.stringify(e2ee), { path: 'Ines_42.json' }))
  t.equal(chat?.entity, 'Messenger: Ines')
  t.equal(chat?.text, 'Ines: Grüße\nAttached: a.jpg')
  t.equal(chat?.time, at)
  const said = (id: string, name: string, content: string, answered = '') => ({
    ...{ id, type: answered ? 'Reply' : 'Default', timestamp: '2026-05-01T09:00:00Z', content },
    ...{ author: { id: name, name }, reference: answered ? { messageId: answered } : undefined },
  })
  const messages = [said('1', 'Ada', 'Oil?'), said('2', 'Bo', 'Fog.'), said('3', 'Cy', 'Two barrels.', '1')]
  const discord = { guild: { name: 'Quay' }, channel: { name: 'light' }, messages }
  t.equal(
    passages(await text('discord', JSON.stringify(discord), { path: 'light.json' }))[0]?.text,
    'Ada: Oil?\n\nBo: Fog.\n\nCy: (to Ada: “Oil?”) Two barrels.',
  )
})
