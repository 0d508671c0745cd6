import t from 'tap'
import { type ZipEntry, zip } from '../../zip.js'
import { openSafe } from './open.js'

const [boat, paint, projects] = ['b', 'c', 'd'].map(digit => digit.repeat(32))
const part = (entries: ZipEntry[]): ZipEntry => ({
  name: 'Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab-Part-1.zip',
  content: zip(entries),
})

t.test(
  'Notion: pages and databases under their names, with links and relations (Markdown & CSV)',
  async t => {
    const { add, rows, domain, id } = await openSafe(t)
    const done = await add(
      'notion.zip',
      zip([
        part([
          {
            name: `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/Projects ${projects}.csv`,
            content: 'Name\nBoat\n',
          },
          {
            name: `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/Projects/The boat ${boat}.md`,
            content: `# The boat\n\nStatus: In progress\nDue: May 3, 2024\nTags: harbour, summer\nTasks: Paint (../Paint%20${paint}.md)\n\nNote: it leaks.\n`,
          },
          {
            name: `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/Paint ${paint}.md`,
            content: `# Paint\n\nFor [The boat](Projects/The%20boat%20${boat}.md).\n`,
          },
        ]),
      ]),
    )
    t.match(done, { status: 'committed', badLineCount: 0 })
    const { relations, passages } = await rows()
    t.strictSame(relations.map(row => `${row.subject_key} ${row.predicate} ${row.object_key}`).sort(), [
      'paint links to the boat',
      'the boat Status in progress',
      'the boat Tasks paint',
      'the boat in database projects',
      'the boat tagged harbour',
      'the boat tagged summer',
    ])
    t.match(
      passages.find(row => row.source === 'Projects/The boat.md')?.text,
      /^Note: it leaks.*\n\nDue: 2024-05-03$/s,
    )
    const found = await domain.documents.find('ann', id, 'Projects/The boat.md')
    t.strictSame(found.tags, ['harbour', 'summer'])
    const target = `Projects/The%20boat%20${boat}.md`.replaceAll('%20', ' ')
    const links = await domain.documents.resolve('ann', id, 'Paint.md', [target])
    t.equal(links.get(target), 'Projects/The boat.md', 'links lead to the page in the text, too')
  },
)

t.test('Notion as web pages: the pages, not the lists of them', async t => {
  const { add, rows } = await openSafe(t)
  const page = '<title>Boat</title><p>Green.</p>'
  const done = await add(
    'notion.zip',
    zip([
      { name: 'Export/index.html', content: '<ul><li>Boat</li></ul>' },
      { name: `Export/Boat ${boat}.html`, content: page },
      { name: `Export/Projects ${projects}.csv`, content: 'Name\nBoat\n' },
    ]),
  )
  t.match(done, { status: 'committed' })
  t.strictSame(
    (await rows()).passages.map(row => row.source),
    ['Export/Boat.html'],
  )
})
