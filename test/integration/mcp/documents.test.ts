import t from 'tap'
import { estimateTokens } from '../../../domain/safes/ask/tokens.js'
import { BASE, buildService, fill, importNotes } from './service.js'

const section = (heading: string) =>
  `## ${heading}\n\n${Array.from({ length: 40 }, (_, at) => `Line ${at} of ${heading.split(' ')[0]} says something.`).join('\n')}\n\n`
const NOTES = {
  'Home.md': '---\ntags: [start]\ndate: 2026-02-03\n---\n# Welcome\n\nSee [[Plan]].\n',
  'work/Plan.md': `# The plan\n\n${['Aims {#aims}', 'Means', 'Ends {/*ends*/}'].map(section).join('')}\`\`\`\n## no heading\n\`\`\`\n`,
  'old/Plan.md': 'Another plan.\n',
  'one-line.md': `${'😀 word '.repeat(3_000)}end`,
  'long.md': Array.from(
    { length: 3_000 },
    (_, at) => `Evening number ${at}: the keeper "Ada" counted the ships.\n\n`,
  ).join(''),
}

const { app, ann, bob, harbour, garden, issue, poster } = await buildService(t)
await importNotes(app, ann, harbour, NOTES)
const { tool } = poster(await issue(ann))
const read = (args: object) => tool('svc', { safe: harbour, ...args })

t.test('R1 a document is read whole, by path or title, in any case, without extension', async t => {
  for (const document of ['Home.md', 'home', '/Home.md', 'HOME.MD', 'Home > Welcome', 'Welcome']) {
    const { structuredContent, content } = await read({ document })
    t.match(structuredContent, {
      mode: 'document',
      document: {
        path: 'Home.md',
        title: 'Welcome',
        date: '2026-02-03',
        tags: ['start'],
        text: NOTES['Home.md'],
      },
      next_cursor: null,
    })
    t.match(
      content[0].text,
      `Safe "Harbour", document "Home.md": Welcome (2026-02-03).\n\n${NOTES['Home.md']}`,
    )
  }
  const { structuredContent } = await read({ mode: 'document', query: 'Home.md' })
  t.equal(structuredContent.document.path, 'Home.md', 'as models send it')
})

t.test('R1 page by page no word is lost or doubled; the first page has the outline (X10)', async t => {
  for (const [document, text] of [
    ['work/Plan.md', NOTES['work/Plan.md']],
    ['one-line.md', NOTES['one-line.md']],
  ])
    for (const max_tokens of [400, 900]) {
      let whole = ''
      let cursor: string | null = null
      do {
        const reply: {
          structuredContent: { document: { text: string; outline?: string[] }; next_cursor: string }
        } = await read({ document, max_tokens, ...(cursor === null ? {} : { cursor }) })
        const { document: page, next_cursor } = reply.structuredContent
        t.ok(estimateTokens(JSON.stringify(reply.structuredContent)) <= max_tokens)
        if (document === 'work/Plan.md')
          t.same(page.outline, whole === '' ? ['The plan', '  Aims', '  Means', '  Ends'] : undefined)
        whole += page.text
        cursor = next_cursor
      } while (cursor !== null)
      t.equal(whole, text, `${document} by ${max_tokens}`)
    }
})

t.test('R8 a page fits what assistants pass on, and says near its beginning how to go on', async t => {
  const document = 'long.md'
  for (const max_tokens of [undefined, 20_000]) {
    let whole = ''
    let pages = 0
    let cursor: string | null = null
    do {
      const reply: {
        content: { text: string }[]
        structuredContent: { document: { text: string }; next_cursor: string | null }
      } = await read({ document, ...(max_tokens && { max_tokens }), ...(cursor !== null && { cursor }) })
      const forms = [reply.content[0]?.text ?? '', JSON.stringify(reply.structuredContent)]
      for (const form of forms) {
        t.ok(form.length <= 38_000, `${form.length} characters`)
        if (reply.structuredContent.next_cursor !== null)
          t.match(form.slice(0, 500), reply.structuredContent.next_cursor)
      }
      if (!max_tokens) t.ok(forms.join('').length <= 18_000, `${forms.join('').length} together`)
      whole += reply.structuredContent.document.text
      cursor = reply.structuredContent.next_cursor
      pages++
    } while (cursor !== null)
    t.equal(whole, NOTES[document])
    t.ok(pages > 3)
  }
})

t.test('R1 a heading is where reading begins', async t => {
  const { structuredContent } = await read({
    document: 'work/Plan',
    heading: 'the plan > MEANS',
    max_tokens: 5000,
  })
  t.equal(
    structuredContent.document.text,
    NOTES['work/Plan.md'].slice(NOTES['work/Plan.md'].indexOf('## Means')),
  )
  for (const heading of ['Ends', 'Ends {/*ends*/}', 'The plan > Ends {/ends/}'])
    t.match((await read({ document: 'work/Plan', heading })).structuredContent.document, {
      text: /^## Ends \{/,
    })
  t.match(await read({ document: 'work/Plan', heading: 'no heading' }), {
    isError: true,
    content: [{ text: /has no heading “no heading”.*“The plan”, “Aims”/ }],
  })
})

t.test('R1 an unknown document is answered with the nearest, a name of several with their paths', async t => {
  t.match(await read({ document: 'Welcome home' }), {
    isError: true,
    content: [{ text: /no document.*Nearest: “Home\.md”/ }],
  })
  t.match(await read({ document: 'Plan' }), {
    isError: true,
    content: [{ text: /Several documents.*“old\/Plan\.md”, “work\/Plan\.md”/ }],
  })
  t.match(await read({ document: 'zebra' }), { isError: true, content: [{ text: /no document “zebra”/ }] })
  t.match(await read({ document: 'Home.md', cursor: 'wrong' }), { isError: true })
  t.match(await read({ document: 'Home.md', max_tokens: 100 }), {
    isError: true,
    content: [{ text: /max_tokens must be at least \d{3}/ }],
  })
})

t.test('R2 passages name their document, the headings above them and their page, in both forms', async t => {
  const { structuredContent, content } = await read({ query: 'Line 7 of Means says something' })
  const { document, heading, url, id } = structuredContent.passages[0]
  t.same({ document, heading }, { document: 'work/Plan.md', heading: 'Means' })
  t.equal(url, `${BASE}/safes/${harbour}/documents/work/Plan.md#p-${id.split('.')[1]}`)
  for (const part of [document, heading, url]) t.match(content[0].text, part)
  const reread = await read({ document, heading, max_tokens: 5000 })
  t.match(reread.structuredContent.document.text, /^## Means/, 'what it names can be read')
})

t.test('R2 a passage of no document leads to the page of its thing', async t => {
  await fill(app, ann, garden)
  await app.database.write(trx => trx.deleteFrom('documents').where('safe_id', '=', garden).execute())
  const { structuredContent } = await read({ safe: garden, query: 'crane' })
  const [{ id, url, document }] = structuredContent.passages
  t.same({ url, document }, { url: `${BASE}/safes/${garden}/passages/${id}`, document: undefined })
})

const PLACES: Record<string, { in: string[]; found: string[] }> = {
  'a folder': { in: ['work/'], found: ['work/Plan.md'] },
  'a folder in another case, without its slash': { in: ['WORK'], found: ['work/Plan.md'] },
  'a tag': { in: ['tag:start'], found: ['Home.md'] },
  'a document by its title, and a folder': { in: ['Welcome', 'old/'], found: ['Home.md', 'old/Plan.md'] },
}
const documentsOf = ({ structuredContent }: { structuredContent: { passages?: { document: string }[] } }) =>
  [...new Set(structuredContent.passages?.map(({ document }) => document))].sort()

t.test('R3 search is limited to folders, tags and documents', async t => {
  const everywhere = await read({ query: 'plan welcome aims another', limit: 50 })
  t.same(documentsOf(everywhere), ['Home.md', 'old/Plan.md', 'work/Plan.md'])
  for (const [what, { in: places, found }] of Object.entries(PLACES)) {
    const reply = await read({ query: 'plan welcome aims another', in: places, limit: 50 })
    t.same(documentsOf(reply), found, what)
    t.ok(reply.structuredContent.total < everywhere.structuredContent.total, 'nothing outside is counted')
  }
})

t.test('R3 so are entities, lists by time and the overview, which lists folders and tags', async t => {
  const entity = (place: string) => read({ mode: 'entity', entities: ['Home'], in: [place] })
  t.same(documentsOf(await entity('tag:start')), ['Home.md'])
  t.same(documentsOf(await entity('old/')), [])
  t.same(documentsOf(await read({ since: '2026-01-01', in: ['tag:start'] })), ['Home.md'])
  t.same(documentsOf(await read({ since: '2026-01-01', in: ['work/'] })), [])
  const whole = (await read({})).structuredContent.summary
  t.match(whole, {
    folders: [
      { folder: 'old/', documents: 1 },
      { folder: 'work/', documents: 1 },
    ],
    tags: [{ tag: 'start', documents: 1 }],
  })
  const { summary } = (await read({ in: ['old/'] })).structuredContent
  t.match(summary.counts, { passages: 1 })
  t.notMatch(JSON.stringify(summary), 'Home')
  t.match((await read({})).content[0].text, /Folders: old\/ 1; work\/ 1\.\nTags: start 1\./)
})

t.test('R3 what matches nothing is named with the nearest', async t => {
  const some = await read({ query: 'plan', in: ['work/', 'tag:strat'] })
  t.same(documentsOf(some), ['work/Plan.md'])
  t.match(some.structuredContent.hints[0], /has the tag "strat".*"tag:start"/)
  for (const [place, sentence] of Object.entries({
    'werk/': /no folder "werk\/"\. Nearest: .*"work\/"/,
    'tag:zebra': /no document has the tag/i,
    'Welcome home': /Nearest: “Home\.md”/,
  }))
    t.match(await read({ query: 'plan', in: [place] }), { isError: true, content: [{ text: sentence }] })
  t.match(await read({ from: 'Plan', to: 'Home', in: ['work/'] }), { isError: true })
  const nothing = await read({ query: 'welcome', in: ['old/'] })
  t.match(
    nothing.content[0].text,
    /Searched 1 passage of the Safe "Harbour"[\s\S]*Without "in" \d+ results? would/,
  )
})

t.test('where and recent answer as outputSchema says (issue 54.9)', async t => {
  const found = await read({ query: 'welcome', where: { tags: 'start' } })
  t.same(documentsOf(found), ['Home.md'])
  t.match(await read({ query: 'plan', where: { stat: 'x' } }), {
    isError: true,
    content: [{ text: /^Error: No note has a property "stat"\. Nearest: / }],
  })
  const recent = await read({ recent: true, in: ['work/', 'Home.md'] })
  t.match(recent.structuredContent, {
    mode: 'search',
    total: 2,
    passages: [{ time: /^20/ }, { time: /^20/ }],
  })
  t.same(documentsOf(recent), ['Home.md', 'work/Plan.md'])
  t.match(recent.content[0].text, /Welcome \[.*Home\.md/)
  await app.activity.flush()
  const entries = await app.activity.recentOfAccount(ann, 10)
  t.ok(entries.some(({ question }) => question === 'recent'))
})

t.test('R3 a cursor belongs to the places it was asked in', async t => {
  const { structuredContent } = await read({ query: 'line', in: ['work/'], limit: 1 })
  const cursor = structuredContent.next_cursor
  const next = await read({ query: 'line', in: ['work/'], limit: 1, cursor })
  t.notOk(next.isError)
  t.match(await read({ query: 'line', in: ['old/'], limit: 1, cursor }), { isError: true })
})

t.test('reading is recorded, and a Safe of others cannot be read (RULES S2)', async t => {
  await read({ document: 'Home.md' })
  await app.activity.flush()
  const rows = await app.database.read
    .selectFrom('activity')
    .where('detail', '=', 'document')
    .orderBy('id')
    .selectAll()
    .execute()
  t.match(rows.at(-1), { kind: 'question', account_id: ann, safe_id: harbour, question: 'Home.md' })
  const other = poster(await issue(bob))
  const refused = await other.tool('svc', { safe: harbour, document: 'Home.md' })
  t.match(refused, { isError: true })
  t.notMatch(JSON.stringify(refused), 'Welcome')
})
