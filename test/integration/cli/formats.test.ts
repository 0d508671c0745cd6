import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { dataDir } from '../../helper.js'
import { zip } from '../../zip.js'
import { svc } from './svc.js'

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url))
const FILES = [
  'memory.jsonl',
  'people.nt',
  'spiderman.nq',
  'elements.ttl',
  'graphs.trig',
  'apoc-all.csv',
  'vault/Ada Lovelace.md',
  'chats/chatgpt/conversations.json',
  'documents/page.html',
  'documents/report.docx',
  'documents/report.pdf',
  'documents/book.epub',
]
const MIXED = ['documents/page.html', 'documents/report.docx', 'documents/report.pdf', 'documents/book.epub']

// The libraries of formats are loaded when a file needs them, and a bundle can break that where the sources do not.
t.test('the built command line reads every format (DESIGN §5.12)', async t => {
  const folder = dataDir(t)
  const vault = join(folder, 'vault.zip')
  const name = 'vault/Ada Lovelace.md'
  writeFileSync(vault, zip([{ name, content: readFileSync(fixture(name)) }]))
  const mixed = join(folder, 'mixed.zip')
  writeFileSync(mixed, zip(MIXED.map(name => ({ name, content: readFileSync(fixture(name)) }))))
  await svc(folder, ['account', 'add', 'ann@example.com', '--password-stdin'], 'correct horse battery\n')

  for (const file of [...FILES.map(fixture), vault, mixed]) {
    await svc(folder, ['safe', 'add', file, '--owner', 'ann@example.com'])
    const { code, stderr } = await svc(folder, ['safe', 'import', file, file])
    t.equal(code, 0, `${file}: ${stderr}`)
    t.match(stderr, /[1-9]\d* (entities|passages)/, file)
  }
  const scan = await svc(folder, ['safe', 'import', mixed, fixture('documents/scan.pdf')])
  t.equal(scan.code, 1)
  t.match(scan.stderr, /Nothing was imported\. This PDF has no text; its pages are pictures\./)
})
