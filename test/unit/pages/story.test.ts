import t from 'tap'
import type { ShownEntry } from '../../../domain/activity/entry.js'
import { ACTIVITY_KINDS } from '../../../domain/activity/entry.js'
import { type Part, sentence } from '../../../routes/pages/system/sentence.js'
import { storyOf } from '../../../routes/pages/system/story.js'
import { Zone } from '../../../routes/pages/system/zone.js'
import { activityTexts } from '../../../views/texts/activity.js'

const NOW = Date.parse('2026-05-12T12:00:00Z')
const CLAUDE = { connectionId: 'c', name: 'Claude', isVerified: true }
const VIEW = { path: '/activity', showsAccount: false, showsSafe: true }

/** A question this many minutes before `NOW`, answered with two passages of a document. */
const entry = (minutes: number, more: Partial<ShownEntry> = {}): ShownEntry => ({
  ...{ id: `${minutes}`, at: NOW - minutes * 60_000, kind: 'question', email: 'ann@a.example' },
  ...{ assistant: CLAUDE, safe: { id: 's', name: 'Work' }, detail: 'search', facts: 0, passages: 2 },
  ...{ question: 'Why?', read: [['Plan > Aims', 'a/Plan.md', 3, 5, 5]] },
  ...more,
})
const text = (parts: readonly Part[]) =>
  parts.map(part => (typeof part === 'string' ? part : part.text)).join('')
const groups = (entries: ShownEntry[], zone = '', view = VIEW) =>
  storyOf(entries, view, new Zone(zone), NOW).map(({ label, items }) => [
    label,
    ...items.map(({ says, from, until }) => `${text(says)} · ${from.text}${until ? `–${until.text}` : ''}`),
  ])

t.test('a conversation is one entry until a pause of 30 minutes, whoever else asks meanwhile', async t => {
  const other = { assistant: { ...CLAUDE, connectionId: 'd', name: 'Cursor' } }
  const home: ShownEntry['read'] = [['Home', 'Home.md', 3, 1, 1]]
  t.same(
    groups([entry(0, { read: home }), entry(5, other), entry(30), entry(61), entry(90)], 'Europe/Oslo'),
    [
      [
        'Today',
        'Claude asked 2 questions in Work and read 2 documents · 13:30–14:00',
        'Cursor read 2 passages of Plan in Work · 13:55',
        'Claude asked 2 questions in Work and read Plan · 12:30–12:59',
      ],
    ],
  )
})

t.test('days are those of the reader', async t => {
  const entries = [entry(11 * 60), entry(13 * 60), entry(26 * 60), entry(60 * 60)]
  const labels = (zone: string) => groups(entries, zone).map(([label]) => label)
  t.same(labels(''), ['Today', 'Yesterday', '10 May 2026'])
  t.same(labels('Europe/Oslo'), ['Today', 'Yesterday', '10 May 2026'])
  t.same(labels('Asia/Tokyo'), ['Today', 'Yesterday', '10 May 2026'])
  t.equal(groups(entries)[0]?.length, 2)
  t.equal(groups(entries, 'Asia/Tokyo')[0]?.length, 3, 'begins nine hours earlier')
})

t.test('what was read decides how it is told', async t => {
  const says = (more: Partial<ShownEntry>) => groups([entry(0, more)])[0]?.[1]?.replace(/ · .*/, '')
  t.equal(says({ detail: 'document' }), 'Claude read Plan in Work')
  t.equal(says({ facts: 1 }), 'Claude asked a question in Work and read Plan')
  t.equal(
    says({ read: [['A', 'is', 'B']], facts: 2, passages: 1 }),
    'Claude asked a question in Work and read 3 facts and passages',
  )
  t.equal(says({ read: [], passages: 0 }), 'Claude asked a question in Work and found nothing')
  t.equal(says({ read: [], passages: 0, detail: 'overview' }), 'Claude viewed the overview of Work')
  t.equal(
    groups([entry(0)], '', { path: '/safes/s/activity', showsAccount: true, showsSafe: false })[0]?.[1],
    'Claude (ann@a.example) read 2 passages of Plan · 12:00 UTC',
  )
})

t.test('imports of one name are told together within an hour', async t => {
  const run = (minutes: number) =>
    entry(minutes, { kind: 'imported', detail: 'notes', assistant: null, read: [] })
  t.same(groups([run(0), run(60), run(61)])[0]?.slice(1), [
    'notes was added to Work, 2 times · 11:00 UTC–12:00 UTC',
    'notes was added to Work · 10:59 UTC',
  ])
})

t.test('every kind has a sentence without gaps, also where nothing is known', async t => {
  for (const kind of ACTIVITY_KINDS.filter(kind => kind !== 'question')) {
    for (const more of [{ detail: 'x' }, { detail: 'x', safe: null, assistant: null }]) {
      const [, line = ''] = groups([entry(0, { kind, ...more })])[0] ?? []
      t.match(line, /^\S.*\S · 12:00 UTC$/, kind)
      t.notMatch(line, /[{}[\]]/, kind)
    }
  }
  t.same(sentence('{a} b[ c {d}][ e {f}]', { a: 'A', d: null, f: { text: 'F', href: null } }), [
    ...['A', ' b', ' e ', { text: 'F', href: null }],
  ])
  t.ok(activityTexts.says.question === '')
})
