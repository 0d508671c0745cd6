import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { openDocuments } from './vault.js'

const KINDS = {
  'documents/report.docx': 'docx',
  'documents/book.epub': 'epub',
  'documents/report.pdf': 'pdf',
  'documents/page.html': 'html',
  'movies.csv': 'table',
  'people.nt': 'data',
  'chats/claude/conversations.json': 'chat',
}

t.test('documents of other formats have their text, each conversation by itself', async t => {
  const { domain, id, find, read, paths, add } = await openDocuments(t)
  for (const [name, kind] of Object.entries(KINDS)) {
    const source = name.split('/').at(-1) ?? ''
    const bytes = readFileSync(join(rootDir, 'test', 'fixtures', name))
    t.match(await add(source, bytes), { status: 'committed' })
    const found = (await paths()).filter(path => path.startsWith(source))
    t.ok(kind === 'chat' ? found.length > 1 : found.length === 1, `${name}: ${found.join()}`)
    for (const path of found) {
      const document = await find(path)
      t.match(document, { kind, kept: 'whole' })
      const { text, passages } = await read(path)
      t.ok(text.length > 0, path)
      const kept = await domain.documents.original('ann', id, document)
      t.equal(
        document.contentHash,
        createHash('sha256')
          .update(kept ?? '')
          .digest('base64url'),
      )
      if (['html', 'table', 'data'].includes(kind)) t.same(kept, bytes, 'byte for byte')
      const last = text.split('\n').length
      t.same(
        passages.filter(({ line }) => line === null || line > last),
        [],
        `${path}: every passage has its place`,
      )
    }
  }
  t.match((await read('report.pdf')).text, /\f/, 'pages')
  const [chat = ''] = (await paths()).filter(path => path.startsWith('conversations.json/'))
  t.match((await read(chat)).text, /^### .+ · \d{4}-\d\d-\d\d \d\d:\d\d\n\n/)
})

t.test('of a very long text the beginning is kept, and every passage', async t => {
  const { find, read, add } = await openDocuments(t)
  const text = Array.from(
    { length: 85_000 },
    (_, line) => `Line ${line} ${'x'.repeat(90)}\n${line % 9 ? '' : '\n'}`,
  ).join('')
  await add('long.txt', text)
  t.match(await find('long.txt'), {
    kept: 'beginning',
    size: text.length,
    textBytes: 8 * 1024 * 1024,
    parts: 32,
  })
  t.equal((await read('long.txt')).text, text.slice(0, 8 * 1024 * 1024))
})
