import t from 'tap'
import { mergeOldImports } from '../../../domain/safes/imports/merging.js'
import { words } from '../../words.js'
import { Folder } from './folder.js'
import { DATABASES, NO_ROWS } from './open.js'
import { HOME, openDocuments, VAULT } from './vault.js'

for (const over of DATABASES) {
  t.test(
    `over ${over}, notes are kept as they came, with title, tags, date and places of passages`,
    async t => {
      const { domain, id, find, read, paths, addVault } = await openDocuments(t, over)
      await addVault()
      t.same(await paths(), VAULT.map(({ name }) => name).sort())
      const home = await find('Home.md')
      t.match(home, {
        title: 'Start here',
        kind: 'markdown',
        kept: 'whole',
        tags: ['work', 'plans'],
        time: Date.UTC(2026, 1, 3),
      })
      t.equal(home.size, Buffer.byteLength(HOME))
      t.equal((await domain.documents.original('ann', id, home))?.toString(), HOME, 'byte for byte')
      const plan = await read('work/Plan.md')
      t.match(plan.text, /^# The plan\n/)
      for (const { line, text } of plan.passages)
        t.equal(plan.text.split('\n')[(line ?? 0) - 1], text.split('\n')[0])
      t.equal(plan.passages.length, 2)
      await t.rejects(find('work'), { code: 'not_found' })
    },
  )

  t.test(`over ${over}, folders, words, tags, neighbours and links are found`, async t => {
    const { domain, id, paths, addVault } = await openDocuments(t, over)
    await addVault()
    const folder = (path: string, after = '', limit = 10) =>
      domain.documents.folder('ann', id, path, { after, limit })
    t.match(await folder(''), [
      { document: { path: 'Home.md' } },
      { folder: 'journal/' },
      { folder: 'work/' },
    ])
    t.match(await folder('', 'journal0', 1), [{ folder: 'work/' }], 'page by page')
    t.match(await folder('work/'), [
      { document: { path: 'work/Plan.md' } },
      { document: { path: 'work/all.md' } },
      { folder: 'work/deep/' },
    ])
    t.same(await paths({ words: ['plan', 'DEEP'] }), ['work/deep/Plan.md'])
    t.same(await paths({ words: ['100%'] }), [])
    t.same(await paths({ tag: 'plans' }), ['Home.md'])
    t.same(await paths({ folder: 'work/', after: 'work/Plan.md' }), ['work/all.md', 'work/deep/Plan.md'])
    t.match(await domain.documents.neighbours('ann', id, 'work/all.md'), {
      before: { path: 'work/Plan.md' },
      after: null,
    })
    const resolves = async (from: string, expected: Record<string, string>, ...dead: string[]) => {
      const links = await domain.documents.resolve('ann', id, from, [...Object.keys(expected), ...dead])
      t.same(Object.fromEntries(links), expected, from)
    }
    const inVault = {
      Plan: 'work/Plan.md',
      'deep/Plan': 'work/deep/Plan.md',
      all: 'work/all.md',
      'work/all.md': 'work/all.md',
      '../Home': 'Home.md',
      '/Home.md': 'Home.md',
      home: 'Home.md',
    }
    await resolves('work/Plan.md', inVault, 'Nowhere', '../../x')
    // Websites use folders as pages; the text of such a page is in its index file.
    const pages = words(`
      a/index.md b/_index.md a/c.md c.md en/d/Page.mdx en/e/index.mdx f/README.md site/_docs/Post.md
      site/en/guide/One.md site/xx/guide/One.md site/blog/2017-02-14-Using-it.md
    `)
    await addVault(
      [...pages, 'site/blog/Release 0.74.mdx'].map(name => ({ name, content: name })),
      'site.zip',
    )
    const inSite = {
      '../a/': 'a/index.md',
      '../b/': 'b/_index.md',
      c: 'a/c.md',
      '/en/d/page/': 'en/d/Page.mdx',
      '/d/page/': 'en/d/Page.mdx',
      '/en/e/': 'en/e/index.mdx',
      '../f': 'f/README.md',
      '../c.md?h=a': 'c.md',
      '/docs/next/post': 'site/_docs/Post.md',
      '/any/2017/02/14/using-it/': 'site/blog/2017-02-14-Using-it.md',
      '../f/index.html': 'f/README.md',
      'Release 0.74': 'site/blog/Release 0.74.mdx',
    }
    await resolves('a/x.md', inSite, '/x/page/', '../c?x/y')
    await resolves('site/xx/a/b.md', {
      '/docs/post/': 'site/_docs/Post.md',
      '/guide/one': 'site/xx/guide/One.md',
      '/_docs/Post.md': 'site/_docs/Post.md',
    })
  })

  t.test(`over ${over}, links find notes by the addresses that notes and their order give them`, async t => {
    const { domain, id, paths, addVault, stores, clock } = await openDocuments(t, over)
    const notes = {
      'docs/setting-up.md': '---\nid: environment-setup\n---\na',
      'site/parts/parts-glossary.md': '---\ntitle: All our words\nslug: glossary\n---\nb',
      'site/other/words.md': '---\nslug: glossary\n---\nc',
      'site/_docs/care.md': '---\npermalink: /docs/maintaining/\naliases: [/old/care.html]\n---\nd',
      'docs/1.start/02.install.md': 'e',
      'docs/3.guide/1.concepts/index.md': 'f',
      'box/202401311030 Lamps and light.md': 'g',
      'graph/Lens.md': 'alias:: Magnifier\n\n- h',
      'site/parts/parts-view.md': '---\nslug: /overview\n---\nk',
      'wiki/A-page.md': 'i',
      'wiki/2024-01-31.md': '---\nid: https://example.org/x\n---\nj',
    }
    await addVault(Object.entries(notes).map(([name, content]) => ({ name, content })))
    const meant = {
      '/docs/next/environment-setup?a=b': 'docs/setting-up.md',
      'environment-setup': 'docs/setting-up.md',
      '/other/environment-setup': undefined,
      '../other/glossary': 'site/other/words.md',
      glossary: 'site/parts/parts-glossary.md',
      'All our words': 'site/parts/parts-glossary.md',
      '/x/maintaining': undefined,
      '/parts/overview': 'site/parts/parts-view.md',
      '/others/overview': undefined,
      '/docs/maintaining/': 'site/_docs/care.md',
      '/old/care.html': 'site/_docs/care.md',
      '/docs/4.x/start/install': 'docs/1.start/02.install.md',
      '/docs/guide/concepts': 'docs/3.guide/1.concepts/index.md',
      '202401311030': 'box/202401311030 Lamps and light.md',
      Magnifier: 'graph/Lens.md',
      'A page': 'wiki/A-page.md',
      x: undefined,
    }
    const resolved = async () =>
      Object.fromEntries(await domain.documents.resolve('ann', id, 'site/parts/a.md', Object.keys(meant)))
    const found = Object.fromEntries(Object.entries(meant).filter(([, path]) => path !== undefined))
    t.same(await resolved(), found)
    t.same(await paths(), Object.keys(notes).sort(), 'an address is no document')
    await addVault([{ name: 'new.md', content: 'New.' }], 'other.zip')
    await addVault([{ name: 'newer.md', content: 'New.' }], 'third.zip')
    await mergeOldImports({ ...stores, clock }, new AbortController().signal, { keep: 1, most: 2 })
    t.same(await resolved(), found, 'also when imports are merged')
  })

  t.test(`over ${over}, the newest document of a path is read; undo brings the one before back`, async t => {
    const { domain, id, read, rows, paths, addVault, clock } = await openDocuments(t, over)
    await addVault()
    await addVault([
      { name: 'work/all.md', content: 'Everything, again.\n' },
      { name: 'new.md', content: 'New.\n' },
    ])
    t.match((await read('work/all.md')).text, /again/)
    t.equal((await paths()).length, 6)
    await domain.imports.undo('ann', id, 2)
    t.notMatch((await read('work/all.md')).text, /again/)
    t.equal((await paths()).length, 5)
    await domain.imports.restore('ann', id, 2)
    t.match((await read('work/all.md')).text, /again/)
    await domain.removal.remove('ann', id)
    clock.now += 8 * 86_400_000
    domain.maintenance.sweep()
    await domain.idle()
    t.same(await rows(), NO_ROWS)
  })

  t.test(`over ${over}, pictures outlive merged imports, and follow undo and runs of a folder`, async t => {
    const { domain, id, addVault, stores, clock } = await openDocuments(t, over)
    const lamp = (version: number) => Buffer.from(`GIF89a, version ${version}`)
    const shown = (path: string) => domain.documents.image('ann', id, path).then(({ bytes }) => bytes)
    for (const version of [1, 2, 3, 4])
      await addVault([
        { name: 'Home.md', content: `![[lamp.gif]] ${version}` },
        { name: 'lamp.gif', content: lamp(version) },
        { name: `lamp ${version}.gif`, content: lamp(version) },
      ])
    await mergeOldImports({ ...stores, clock }, new AbortController().signal, { keep: 1, most: 2 })
    await t.rejects(domain.imports.undo('ann', id, 2), { code: 'merged' })
    t.same(await shown('lamp.gif'), lamp(4))
    t.same(await shown('lamp 1.gif'), lamp(1), 'also when its import is merged')
    await domain.imports.undo('ann', id, 4)
    t.same(await shown('lamp.gif'), lamp(3), 'the newest of the merged')

    const folder = new Folder().set('pics/sea.gif', lamp(5)).set('Sea.md', '![[sea.gif]]')
    const run = () => domain.folders.sync('ann', id, { name: 'notes', folder: '/notes', walk: folder.walk })
    await run()
    t.same(await shown('pics/sea.gif'), lamp(5))
    folder.set('pics/sea.gif', lamp(6))
    t.match(await run(), { report: { changed: 1 } })
    t.same(await shown('pics/sea.gif'), lamp(6))
    folder.delete('pics/sea.gif')
    await run()
    await t.rejects(shown('pics/sea.gif'), { code: 'not_found' })
    t.same(await shown('lamp 1.gif'), lamp(1))
  })
}

for (const over of DATABASES)
  t.test(`over ${over}, sizes are those of the documents in force, by folder`, async t => {
    const { domain, id, addVault } = await openDocuments(t, over)
    t.same(await domain.documents.sizes('ann', id, 5), { folders: new Map(), largest: [] })
    await addVault([
      { name: 'é/a/one.md', content: 'x'.repeat(50) },
      { name: 'é/a/b/two.md', content: 'x'.repeat(20) },
      { name: 'é/a/b/c/four.md', content: 'x'.repeat(50) },
      { name: 'é/three.md', content: 'x'.repeat(30) },
    ])
    await addVault([{ name: 'é/a/one.md', content: 'x'.repeat(40) }], 'newer.zip')
    const { folders, largest } = (await domain.documents.sizes('ann', id, 2)) ?? {}
    t.same(
      [...(folders ?? [])].map(([path, { bytes, count }]) => [path, bytes, count]),
      [
        ['', 140, 4],
        ['é/', 140, 4],
        ['é/a/', 110, 3],
        ['é/a/b/', 70, 2],
        ['é/a/b/c/', 50, 1],
      ],
    )
    t.same(
      largest?.map(({ path, bytes }) => [path, bytes]),
      [
        ['é/a/b/c/four.md', 50],
        ['é/a/one.md', 40],
      ],
    )
  })
