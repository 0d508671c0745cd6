import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import t from 'tap'
import { fromBufferPromise } from 'yauzl'
import { ExportPaths } from '../../../domain/safes/exports/document-path.js'
import { type ZipEntry, zip } from '../../zip.js'
import { file, openSafe } from './open.js'

const NOTES: ZipEntry[] = [
  { name: 'Home.md', content: '\ufeff---\ntitle: Start\n---\r\n# Home\r\n\r\nSee [[Plan]].\r\n' },
  { name: 'work/Plan.md', content: '# The plan\n\nFirst, rest.   \n\n\n## Later' },
  { name: 'über/日本 — 100 %.md', content: 'Ein Satz.\n' },
]

async function open(t: Parameters<typeof openSafe>[0]) {
  const opened = await openSafe(t)
  const { domain, id } = opened
  const archive = async (safeId = id) => {
    const { chunks, ...file } = await domain.export('ann', safeId, 'markdown')
    return { ...file, bytes: await buffer(chunks as AsyncIterable<Uint8Array>) }
  }
  const documents = async (safeId = id) =>
    (await domain.documents.list('ann', safeId, { limit: 100 })).map(({ path, contentHash }) => ({
      path,
      contentHash,
    }))
  /** The archive read into a new Safe. */
  const again = async () => {
    const { bytes } = await archive()
    const copy = await domain.create('ann', 'Copy')
    const options = { source: 'copy.zip', bytes: Readable.from([bytes]), commit: true }
    const done = await domain.imports.add('ann', copy.id, options)
    t.match(done, { status: 'committed', badLines: { length: 0 } })
    return copy.id
  }
  return { ...opened, archive, documents, again }
}

/** The JSON of a file in an archive. */
async function entryOf(bytes: Buffer, name: string) {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true })
  for await (const entry of archive.eachEntry())
    if (entry.fileName === name) return JSON.parse(await text(await archive.openReadStreamPromise(entry)))
}

t.test(
  'an export as Markdown is the folder, byte for byte, and reads back as the same documents (UX "Capture")',
  async t => {
    const { add, archive, documents, again } = await open(t)
    await add('old.zip', zip([{ name: 'Home.md', content: 'superseded' }]))
    await add('vault.zip', zip(NOTES))
    t.match(await archive(), { fileName: 'Safe.zip', contentType: 'application/zip' })
    const before = await documents()
    t.same(
      before.map(({ path }) => path),
      NOTES.map(({ name }) => name).sort(),
    )
    t.same(await documents(await again()), before)
  },
)

t.test('beside notes, every other document comes back, and facts with it', async t => {
  const { domain, id, add, documents, again, exported } = await open(t)
  await add('vault.zip', zip(NOTES))
  await add('page.html', '<title>Page</title><p>Of the web.</p>')
  await add('people.csv', 'subject,predicate,object\nAda,knows,Charles\n')
  const accepted = '{"type":"relation","from":"Ada","to":"London","relationType":"lives in"}\n'
  await domain.imports.add('ann', id, file('Proposed by Claude', accepted, { format: 'jsonl' }))
  const before = await documents()
  const copy = await again()
  const named = before.map(document =>
    document.path === 'Proposed by Claude' ? { ...document, path: 'Proposed by Claude.jsonl' } : document,
  )
  t.same(await documents(copy), named)
  t.match(await exported('jsonl', copy), /"London"[^\n]*"lives in"|"lives in"[^\n]*"London"/)
  t.match(await exported('jsonl', copy), /"Charles"/)
})

t.test('an export lists the documents that it names otherwise (issue 53)', async t => {
  const { add, archive, again, documents } = await open(t)
  await add(
    'vault.zip',
    zip([
      { name: 'Plan.md', content: 'One.\n' },
      { name: 'plan.md', content: 'Two.\n' },
    ]),
  )
  const { bytes } = await archive()
  t.ok(bytes.includes('plan (2).md'))
  const names = (await documents(await again())).map(({ path }) => path)
  t.strictSame(names, ['Plan.md', 'plan (2).md'])
  t.match(await entryOf(bytes, '.safe-export.json'), { version: 1, renamed: { 'plan (2).md': 'plan.md' } })
})

t.test('an export of many documents keeps no listener of each', async t => {
  const { add, archive } = await open(t)
  const warnings: Error[] = []
  const warned = (warning: Error) => warnings.push(warning)
  process.on('warning', warned)
  t.teardown(() => process.off('warning', warned))
  const many = Array.from({ length: 12 }, (_, at) => ({ name: `Note ${at}.md`, content: `# Note ${at}\n` }))
  await add('vault.zip', zip(many))
  await archive()
  t.strictSame(warnings, [])
})

t.test('an archive that an import was undone under is not whole, and ends with an error', async t => {
  const { domain, id, add, archive } = await open(t)
  await add('vault.zip', zip(NOTES))
  const more = await add('more.zip', zip([{ name: 'More.md', content: 'More.\n' }]))
  const { chunks } = await domain.export('ann', id, 'markdown')
  const taken = chunks[Symbol.asyncIterator]()
  await taken.next()
  await domain.imports.undo('ann', id, more.id)
  await t.rejects(
    async () => {
      while (!(await taken.next()).done);
    },
    { code: 'changed' },
  )
  t.ok((await archive()).bytes.length > 0)
})

t.test(
  'every path can be unpacked on Windows and Macs, inside of a folder, and no two are the same (issue 53)',
  async t => {
    const paths = new ExportPaths()
    const of = (path: string, kind = 'markdown', kept = 'whole') => paths.of({ path, kind, kept } as never)
    for (const [path, expected] of [
      ['a/b.md', 'a/b.md'],
      ['../../etc/passwd', '__/__/etc/passwd.md'],
      ['/root.md', '_/root.md'],
      ['C:\\x\u0000.md', 'C__x_.md'],
      ['a//./b.md', 'a/_/_/b.md'],
      ['con.md', '_con.md'],
      ['chats.json', 'chats.json'],
      ['chats.json/One.md', 'chats.json_/One.md'],
      ['A.MD', 'A.MD'],
      ['a.md', 'a (2).md'],
      ['\u00e9.md', '\u00e9.md'],
      ['e\u0301.md', 'e\u0301 (2).md'],
      ['Work/One.md', 'Work/One.md'],
      ['work/Two.md', 'work_/Two.md'],
      ['Work/Two.md', 'Work/Two.md'],
      ['COM\u00b9.md', '_COM\u00b9.md'],
      ['CONIN$', '_CONIN$.md'],
      ['nul /aux.tar.md', 'nul_/_aux.tar.md'],
      ['Console.md', 'Console.md'],
      ['What? <1:2> "a|b*".md', 'What_ _1_2_ _a_b__.md'],
      ['etc. ./Names....txt', 'etc___/Names....txt'],
      ['ends .md', 'ends .md'],
    ] as const)
      t.equal(of(path), expected, path)
    t.equal(of('report.pdf', 'pdf'), 'report.pdf.txt')
    t.equal(of('report.pdf.txt', 'text'), 'report.pdf (2).txt')
    t.equal(of('chats/Talk', 'chat'), 'chats/Talk.md')
    t.equal(of('old.html', 'html', 'passages'), 'old.html.md')
    t.equal(of('old.md', 'markdown', 'passages'), 'old.md')
  },
)
