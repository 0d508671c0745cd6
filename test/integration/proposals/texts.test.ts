import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { LIMITS } from '../../../domain/proposals/proposal.js'
import { build, testClock } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { Browser, hiddenFields, PASSWORD } from '../pages/browser.js'

const PLAN = `---
status: draft
tags:
  - sea
---

# Voyage

We sail to Skerry.

## Crew

- Ann

## Stores

Ten kilos of flour.
`

/** Ann's Safe with an uploaded document, and her assistant that may propose. */
async function open(t: Test) {
  const app = await build(t, { clock: testClock(Date.UTC(2026, 4, 3)) })
  const { id } = await app.accounts.add('ann@a.example', PASSWORD)
  const browser = new Browser(app)
  await browser.signIn('ann@a.example')
  const safe = await app.safes.create(id, 'Harbour')
  await upload(app, id, safe.id, 'Voyage.md', PLAN)
  const { accessToken } = await app.oauth.issueTokens(id, {
    clientName: 'Claude',
    grant: { scope: ['vault:read', 'vault:write'] },
  })
  const call = async (name: string, args: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/mcp/v1',
      headers: { authorization: `Bearer ${accessToken}`, 'mcp-protocol-version': '2025-06-18' },
      payload: rpc(1, 'tools/call', { name, arguments: { safe: safe.id, ...args } }),
    })
    return answer.json().result
  }
  const propose = (args: object) => call('svc_propose', args)
  const ask = async (query: string) => JSON.stringify(await call('svc', { query }))
  const textOf = async (path: string) => {
    const document = await app.safes.documents.find(id, safe.id, path)
    return (await app.safes.documents.original(id, safe.id, document))?.toString()
  }
  return { app, id, browser, safe, path: `/safes/${safe.id}`, propose, ask, textOf }
}

async function upload(app: FastifyInstance, id: string, safeId: string, source: string, text: string) {
  const bytes = Readable.from([Buffer.from(text)])
  await app.safes.imports.add(id, safeId, { source, format: 'markdown', bytes, commit: true })
}

/** The fields of texts on a proposal's page as a browser would send them. */
function fieldsOf(page: string, action: string) {
  const text = [...page.matchAll(/<textarea class="note" name="text"[^>]*>\n?([^<]*)</g)].map(
    ([, value = '']) => value.replaceAll('&quot;', '"').replaceAll('\n', '\r\n'),
  )
  const version = [...page.matchAll(/name="version" value="([^"]*)"/g)].map(([, value = '']) => value)
  const write = [...page.matchAll(/name="write" value="(\d+)" checked/g)].map(([, value = '']) => value)
  return { ...hiddenFields(page, action), decision: 'accept', write, text, version }
}

const pathOf = ({ structuredContent }: { structuredContent: { review_url: string } }) =>
  new URL(structuredContent.review_url).pathname

t.test(
  'R10 an edit changes nothing before it is accepted; then it is a version that undo takes back',
  async t => {
    const { app, id, browser, safe, path, propose, ask, textOf } = await open(t)
    const before = await ask('How much flour?')
    t.match(before, 'Ten kilos')
    const proposed = await propose({
      edits: [
        { document: 'Voyage', change: 'replace', at: 'Ten kilos of flour.', text: 'Twelve kilos of flour.' },
        { document: 'Voyage.md', change: 'under_heading', at: 'crew', text: '- Bob' },
        { document: 'Voyage', change: 'set_property', at: 'Status', text: 'final' },
        { document: 'Voyage', change: 'append', text: 'Written by *nobody*.' },
      ],
    })
    t.same(await ask('How much flour?'), before, 'no question finds it')
    t.equal(await textOf('Voyage.md'), PLAN)

    const action = pathOf(proposed)
    const { body } = await browser.get(action)
    t.match(body, 'Claude proposes 4 texts')
    t.match(body, '<del><mark>Ten</mark> kilos of flour.</del><ins><mark>Twelve</mark> kilos of flour.</ins>')
    const fields = fieldsOf(body, action)
    t.same(fields.write, ['0', '1', '2', '3'])
    const [, ...texts] = fields.text
    const accepted = await browser.post(action, {
      ...fields,
      write: ['0', '1', '2'],
      text: ['Thirteen kilos of flour.', ...texts],
    })
    t.match(accepted, { statusCode: 303, headers: { location: `${path}/proposals` } })
    const expected = PLAN.replace('Ten kilos', 'Thirteen kilos')
      .replace('- Ann\n', '- Ann\n- Bob\n')
      .replace('status: draft', 'Status: final')
    t.equal(await textOf('Voyage.md'), expected, 'as the owner edited and ticked it')
    const after = await ask('How much flour?')
    t.match(after, 'Thirteen kilos')
    t.notMatch(after, 'Ten kilos', 'the replaced passage is found no more')
    t.equal((await browser.get(action)).statusCode, 410)

    const [run] = await app.safes.imports.list(id, safe.id)
    t.equal(run?.sync?.by, 'suggested by Claude, 3 May 2026')
    const done = (await browser.get(`${path}/proposals`)).body
    const undo = hiddenFields(done, `${path}/undo`)
    t.match((await browser.get(path)).body, /Note written \(suggested by Claude, 3 May 2026\):/)
    t.equal((await browser.post(`${path}/undo`, undo)).statusCode, 303)
    t.equal(await textOf('Voyage.md'), PLAN)
    t.match(await ask('How much flour?'), 'Ten kilos')
  },
)

t.test('R10 a note and facts are accepted together, and the note goes where no other is', async t => {
  const { app, id, browser, safe, propose, ask, textOf } = await open(t)
  await upload(app, id, safe.id, 'Sail plan.md', '# Sail plan\n\nOld.\n')
  const proposed = await propose({
    statements: [{ subject: 'Bob', predicate: 'repairs', object: 'the jib' }],
    new_note: { title: 'Sail plan', folder: 'Ship/Rig', text: 'The **storm jib** <script>alert(1)</script>' },
  })
  const action = pathOf(proposed)
  const { body } = await browser.get(action)
  t.match(body, 'Claude proposes 1 statement and 1 text')
  t.match(body, '<strong>storm jib</strong>', 'rendered')
  t.notMatch(body, '<script>alert')
  t.notMatch(await ask('storm jib'), '<script>')
  const facts = { subject: 'Bob', predicate: 'repairs', object: 'the jib', keep: '0' }
  t.equal((await browser.post(action, { ...fieldsOf(body, action), ...facts })).statusCode, 303)
  t.match(await textOf('Ship/Rig/Sail plan.md'), 'storm jib')
  t.match(await ask('Bob'), 'repairs')
})

t.test(
  'R10 an edit of a document that has changed since is a conflict, shown with the newer text',
  async t => {
    const { app, id, browser, safe, propose, textOf } = await open(t)
    const edit = { document: 'Voyage', change: 'replace', at: 'We sail to Skerry.', text: 'We stay.' }
    const action = pathOf(await propose({ edits: [edit] }))
    const fields = fieldsOf((await browser.get(action)).body, action)
    const newer = PLAN.replace('- Ann', '- Zoe')
    await upload(app, id, safe.id, 'Voyage.md', newer)
    const refused = await browser.post(action, fields)
    t.equal(refused.statusCode, 409)
    t.match(refused.body, 'has been changed since this page was opened')
    t.equal(await textOf('Voyage.md'), newer, 'nothing was written')
    t.match(refused.body, 'The document has changed since this was proposed')

    const gone = newer.replace('We sail to Skerry.', 'We anchor.')
    await upload(app, id, safe.id, 'Voyage.md', gone)
    const { body } = await browser.get(action)
    t.match(body, 'The quotation is not in “Voyage.md”')
    t.same(fieldsOf(body, action).write, [], 'it is not ticked')
    const again = await browser.post(action, { ...fieldsOf(body, action), write: ['0'] })
    t.equal(again.statusCode, 400)
    t.equal(await textOf('Voyage.md'), gone)
    await upload(app, id, safe.id, 'Voyage.md', `${newer}\n`)
    const page = (await browser.get(action)).body
    t.equal((await browser.post(action, { ...fieldsOf(page, action), write: ['0'] })).statusCode, 303)
    t.match(await textOf('Voyage.md'), /- Zoe/)
    t.match(await textOf('Voyage.md'), 'We stay.')
  },
)

const edit = (more: object) => ({ edits: [{ document: 'Voyage', change: 'replace', text: 'x', ...more }] })
const REFUSED: [what: string, args: object, message: RegExp][] = [
  ['nothing', {}, /"statements".*"new_note".*"edits"/],
  [
    'a quotation that is missing',
    edit({ at: 'Nine kilos' }),
    /quotation is not in “Voyage.md”.*Read the document/,
  ],
  ['a quotation that occurs twice', edit({ at: '##' }), /is more than once/],
  ['an empty quotation', edit({ at: '' }), /exactly/],
  [
    'an unknown heading',
    edit({ change: 'under_heading', at: 'Cargo' }),
    /It has: “Voyage”, “Crew”, “Stores”/,
  ],
  ['an unknown document', edit({ document: 'Voyages of old' }), /no document “Voyages of old”/],
  ['a property of two lines', edit({ change: 'set_property', at: 'a', text: 'b\nc: d' }), /one line/],
  ['an append without text', edit({ change: 'append', text: ' ' }), /needs a text/],
  ['another change', edit({ change: 'delete' }), /edits/],
  ['a note above 256 kB', { new_note: { title: 'A', text: 'ä'.repeat(LIMITS.textBytes / 2 + 1) } }, /256 kB/],
  [
    'a path that leaves the Safe',
    { new_note: { title: 'A', text: 'b', folder: '../other' } },
    /not a folder of a Safe/,
  ],
  ['an absolute path', { new_note: { title: 'A', text: 'b', folder: '/etc' } }, /not a folder of a Safe/],
  ['a drive', { new_note: { title: 'A', text: 'b', folder: 'C:/x' } }, /not a folder of a Safe/],
]
t.test('R10 refused with what to do, and nothing is staged', async t => {
  const { app, id, safe, propose } = await open(t)
  for (const [what, args, message] of REFUSED) {
    const result = await propose(args)
    t.ok(result.isError, what)
    t.match(result.content[0].text, message, what)
  }
  t.same(await app.proposals.pending(id, safe.id, { limit: 1 }), [])
})
