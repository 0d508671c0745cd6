import t from 'tap'
import { identify } from '../../../engine/formats/identify.js'
import { passages, problems, shown, text } from './read.js'
import { documentSink } from './sink.js'

const NOT_INCLUDED = '(File not included. Change data exporting settings to download.)'
let id = 0
const message = (from: string, text: unknown, more: object = {}) => ({
  id: ++id,
  type: 'message',
  date: '2024-05-03T12:00:00',
  date_unixtime: String(1_714_730_000 + id),
  from,
  from_id: `user${from}`,
  text,
  ...more,
})
const chat = (name: string | null, messages: object[], more: object = {}) => ({
  name,
  type: 'personal_chat',
  id: 7,
  messages,
  ...more,
})
const said = async (messages: object[]) =>
  passages(await text('telegram', JSON.stringify(chat('Ada', messages)))).map(passage => passage.text)

t.test('Telegram: each chat of an export is a conversation with who and when', async t => {
  const list = [
    chat('Harbour', [
      { id: 1, type: 'service', actor: 'Ada', action: 'create_group', text: '', date_unixtime: '1714730000' },
      message('Ada', 'Who paints?'),
      message('Bob', [
        'I do. See ',
        { type: 'link', text: 'https://e.org' },
        ' or ',
        { type: 'text_link', text: 'the plan', href: 'https://e.org/a' },
      ]),
      message('Ada', 'Tomorrow', { date_unixtime: '1714830000' }),
    ]),
    chat(null, [message('Cy', 'Hi')], { type: 'private_group', id: 8 }),
    chat('Empty', [], { id: 9 }),
    chat('Harbour', [message('Di', 'Again')], { id: 10 }),
  ]
  const all = {
    about: 'Here is the data you requested. Remember: Telegram is ad free.',
    personal_information: { first_name: 'Ada', bio: 'a "messages": [ {' },
    contacts: { about: 'x', list: [{ first_name: 'Bob' }] },
    chats: { about: 'y', list },
  }
  for (const content of [JSON.stringify(all), JSON.stringify(all, null, 1)]) {
    t.match(identify('result.json', Buffer.from(content)), { format: { id: 'telegram' } })
    const document = documentSink()
    const parsed = await text('telegram', content, { path: 'result.json', document })
    t.strictSame(shown(parsed), [
      'Telegram chat 7 is Telegram: Harbour (Telegram chat)',
      'Telegram userAda is Ada (person)',
      'Telegram chat 7 — has messages from → Telegram userAda',
      'Telegram userBob is Bob (person)',
      'Telegram chat 7 — has messages from → Telegram userBob',
      'Telegram: Harbour > Ada, Bob, 2024-05-03: Ada: Who paints?',
      'Telegram: Harbour > Ada, 2024-05-04: Ada: Tomorrow',
      'Telegram chat 8 is Telegram: A deleted account (Telegram chat)',
      'Telegram userCy is Cy (person)',
      'Telegram chat 8 — has messages from → Telegram userCy',
      'Telegram: A deleted account > Cy, 2024-05-03: Cy: Hi',
      'Telegram chat 10 is Telegram: Harbour (2) (Telegram chat)',
      'Telegram userDi is Di (person)',
      'Telegram chat 10 — has messages from → Telegram userDi',
      'Telegram: Harbour (2) > Di, 2024-05-03: Di: Again',
    ])
    t.match(
      passages(parsed)[0]?.text,
      /Bob: I do\. See https:\/\/e\.org or the plan \(https:\/\/e\.org\/a\)$/,
    )
    t.strictSame(
      document.said.map(({ name }) => name),
      ['Telegram: Harbour', 'Telegram: A deleted account', 'Telegram: Harbour (2)'],
    )
  }
  const one = chat('Ada', [message('Ada', 'Hi', { date_unixtime: undefined })])
  for (const alone of [
    JSON.stringify(one, null, 1),
    JSON.stringify({ type: 'saved_messages', id: 1, messages: one.messages }),
  ])
    t.match(identify('a.json', Buffer.from(alone)), { format: { id: 'telegram' } })
  const cut = { chats: { list: [{ messages: [message('Ada', 'Hi')] }] } }
  t.match(
    identify('a.json', Buffer.from(JSON.stringify(cut))),
    { format: { id: 'telegram' } },
    'by its messages',
  )
  const [first] = passages(await text('telegram', JSON.stringify(one)))
  t.equal(new Date(first?.time ?? 0).toISOString(), '2024-05-03T12:00:00.000Z', 'of exports before 2021')
})

t.test(
  'Telegram: what is attached, answered, passed on, asked and thought of it is said in words',
  async t => {
    const cases: [object, string][] = [
      [message('Ada', '', { photo: NOT_INCLUDED }), 'Ada: Attached: photo'],
      [message('Ada', 'See', { file: 'files/plan.pdf' }), 'Ada: See\nAttached: plan.pdf'],
      [
        message('Ada', '', { file: NOT_INCLUDED, media_type: 'voice_message' }),
        'Ada: Attached: voice message',
      ],
      [message('Ada', '', { file: 'a.webp', media_type: 'sticker', sticker_emoji: '😀' }), 'Ada: 😀'],
      [message('Ada', 'News', { forwarded_from: 'Bob' }), 'Ada: Forwarded from Bob:\nNews'],
      [message('Ada', [{ type: 'pre', text: 'a = 1', language: 'js' }]), 'Ada:\n```\na = 1\n```'],
      [
        message('Ada', '', { location_information: { latitude: 59.9, longitude: 10.7 }, place_name: 'Pier' }),
        'Ada: Place: Pier, 59.9, 10.7',
      ],
      [
        message('Ada', '', { contact_information: { first_name: 'Bo', phone_number: '+47' } }),
        'Ada: Contact: Bo +47',
      ],
      [
        message('Ada', '', { poll: { question: 'When?', answers: [{ text: 'Now', voters: 2 }] } }),
        'Ada: Poll: When?\n- Now: 2',
      ],
      [
        message('Ada', 'Hi', { reactions: [{ type: 'emoji', count: 2, emoji: '👍' }, { type: 'paid' }] }),
        'Ada: Hi\nReactions: 👍 2',
      ],
      [
        message('Ada', '', { todo_list: { title: 'Paint', answers: [{ text: 'Red' }] } }),
        'Ada: Paint\n- Red',
      ],
      [message('Ada', 'Pay', { invoice_information: { title: 'Boat', amount: 5 } }), 'Ada: Pay\nBoat'],
      [{ ...message('', 'Hi'), from: null }, 'Somebody: Hi'],
      [message('Ada', 'Hi', { reply_to_message_id: 99_999 }), 'Ada: Hi'],
    ]
    for (const [one, expected] of cases) t.strictSame(await said([one]), [expected])
    const [asked, other] = [message('Ada', 'Who\npaints?'), message('Cy', 'Me')]
    const answers = [
      message('Bob', 'I', { reply_to_message_id: asked.id }),
      message('Di', 'No', { reply_to_message_id: id }),
    ]
    t.strictSame(await said([asked, other, ...answers]), [
      'Ada: Who\npaints?\n\nCy: Me\n\nBob: (to Ada: “Who paints?”) I\n\nDi: No',
    ])
  },
)

t.test('Telegram: bad messages are reported with their line, and other JSON is none', async t => {
  const parsed = await text(
    'telegram',
    '{"type": "personal_chat",\n"messages": [\nnothing,\n{"type": "message", "text": "Hi", "from": "Ada"}\n]}',
  )
  t.strictSame(problems(parsed), [[3, 'This message is not JSON.']])
  t.equal(passages(parsed).length, 1)
  t.match(problems(await text('telegram', '{"a": [1]}')), [[1, /^This is not an export of Telegram/]])
  t.match(problems(await text('telegram', '{"type": "personal_chat", "messages": [{}')), [
    [1, 'The file ends before its list does.'],
  ])
  const deep = await text(
    'telegram',
    `${'{"a":['.repeat(5_000)}{"messages": [{"type": "message", "text": "Hi"}]}`,
  )
  t.equal(passages(deep).length, 0, 'too deep')
})
