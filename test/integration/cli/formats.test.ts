import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { zip } from '../../zip.js'
import { svc as runBuilt } from './svc.js'
import { openInstallation } from './vault.js'

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url))
/** One file for each library that reads formats. */
const FILES = ['memory.jsonl', 'people.nt', 'elements.ttl', 'movies.csv', 'chats/chatgpt/conversations.json']
const ZIPPED = ['page.html', 'report.docx', 'report.pdf', 'book.epub', '../vault/Ada Lovelace.md']

// The libraries of formats are loaded on demand, and a bundle can break that where the sources do not.
t.test('the built command line reads every format (DESIGN §5.12)', async t => {
  const { place, svc, safe } = await openInstallation(t)
  const zipped = join(place, 'all.zip')
  const entry = (name: string) => ({
    name: basename(name),
    content: readFileSync(fixture(`documents/${name}`)),
  })
  writeFileSync(zipped, zip(ZIPPED.map(entry)))
  for (const file of [...FILES.map(fixture), zipped]) {
    const { code, stderr } = await runBuilt(place, ['safe', 'import', safe, file])
    t.equal(code, 0, `${file}: ${stderr}`)
    t.match(stderr, /[1-9]\d* (things|passages)/, file)
  }
  t.match(await svc('safe', 'import', safe, fixture('documents/scan.pdf')), {
    code: 1,
    stderr: /Nothing was imported\. This PDF has no text; its pages are pictures\./,
  })
})

t.test('an import says which names of the file became one', async t => {
  const { place, svc, safe } = await openInstallation(t)
  const file = join(place, 'a.jsonl')
  const lines = ['Recipe', 'recipe'].map(name =>
    JSON.stringify({ type: 'entity', name, entityType: 'x', observations: [] }),
  )
  writeFileSync(file, lines.join('\n'))
  const said = /1 thing has names that differ .*\n {2}“Recipe” and “recipe”\nIf two of these/
  t.match((await svc('safe', 'import', safe, file, '--dry-run')).stderr, said)
  const done = await svc('safe', 'import', safe, file, '--json')
  t.match(done.stderr, said)
  t.match(JSON.parse(done.stdout), { mergedNames: { count: 1, examples: [['Recipe', 'recipe']] } })
  t.notMatch((await svc('safe', 'import', safe, file)).stderr, said, 'of a file that was there')
})

t.test('a folder with broken front matter is imported, and what is odd is said', async t => {
  const { place, svc, safe } = await openInstallation(t)
  const file = join(place, 'notes.zip')
  writeFileSync(
    file,
    zip(
      Array.from({ length: 22 }, (_, at) => ({
        name: `${at}.md`,
        content: Buffer.from('---\na: b\nodd\n---\nx'),
      })),
    ),
  )
  t.match(await svc('safe', 'import', safe, file), {
    code: 0,
    stderr:
      /0\.md, line 3: This line of the front matter is not[\s\S]*and 2 more files[\s\S]*Imported 22 documents/,
  })
})

t.test('a dry run shows how a table is read, and another column of names can be chosen', async t => {
  const { place, svc, safe } = await openInstallation(t)
  const file = join(place, 'crew.csv')
  writeFileSync(file, 'callsign,surname,ship,pay\nRed,Ada,Swan,1\nBlue,Bo,Swan,2\n')
  const dry = ['safe', 'import', safe, file, '--dry-run']
  const { stderr } = await svc(...dry)
  t.match(stderr, /crew: each row is a thing of type “crew”, named by “callsign”\.\n {2}Red \(crew\): /)
  t.match(stderr, /could have the names: “surname”. Use: --name-column "surname"/)
  const chosen = await svc(...dry, '--name-column', 'surname', '--json')
  t.match(JSON.parse(chosen.stdout), {
    tables: [{ thing: 'crew', naming: ['surname'], unclear: { length: 0 } }],
  })
  await svc('safe', 'import', safe, file, '--name-column', 'surname')
  t.match((await svc('ask', safe, 'Which ship is Bo on?')).stdout, /Bo — ship → Swan/)
})
