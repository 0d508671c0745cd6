import t from 'tap'
import { startChild } from '../../../common/child.js'
import { parseDocument } from '../../../rendering/document.js'
import { Renderer } from '../../../rendering/renderer.js'

const LIMITS = { heapMb: 64, memoryMb: 128 }
const long = (text: string) => text.repeat(Math.ceil(20_000 / text.length))
const rendering = (text: string) => ({
  kind: 'markdown' as const,
  text,
  title: 'Notes',
  passages: [{ id: '7', line: 3 }],
  resolve: async (targets: readonly string[]) =>
    new Map(targets.map(target => [target, { href: `/d/${target}` }])),
})

t.test('a document is the same whether it is rendered here or, because it is long, in a process', async t => {
  const renderer = new Renderer()
  t.teardown(() => renderer.close())
  for (const text of ['# Notes\n\nSee [[Plan]].\n\n', long('# Notes\n\nSee [[Plan]].\n\n')]) {
    const { resolve: _, ...options } = rendering(text)
    const expected = parseDocument('markdown', text).render({
      ...options,
      resolve: target => ({ href: `/d/${target}` }),
    })
    t.same(await renderer.render(rendering(text)), expected)
    t.same(await renderer.render(rendering(text)), expected, 'again')
  }
})

t.test('what stands behind the bar of a link is looked up if its target is nothing', async t => {
  const renderer = new Renderer()
  t.teardown(() => renderer.close())
  for (const text of ['[[a|B]] [[c|d]]\n\n', long('[[a|B]] [[c|d]]\n\n')]) {
    const asked: (readonly string[])[] = []
    const resolve = async (targets: readonly string[]) => {
      asked.push(targets)
      return new Map(
        targets.flatMap(target => (/[Bc]/.test(target) ? [[target, { href: `/${target}` }]] : [])),
      )
    }
    const { html } = await renderer.render({ ...rendering(text), resolve })
    t.match(html, '<a href="/B">a</a> <a href="/c">d</a>')
    t.same(asked, [['a', 'c'], ['B']])
  }
})

for (const [worker, what] of [
  ['silent-worker', 'takes too long'],
  ['deaf-worker', 'kills its process'],
] as const)
  t.test(`a document that ${what} is shown as plain text, and the next one is rendered`, async t => {
    const from = import.meta.url
    const workers = [worker, '../../../rendering/render-worker']
    const renderer = new Renderer(
      () => startChild(workers.shift() ?? '', from, LIMITS),
      worker === 'silent-worker' ? 100 : undefined,
    )
    t.teardown(() => renderer.close())
    const article = await renderer.render(rendering(long('# A & B\n\n')))
    t.match(article, {
      html: /<section class="place plain" id="p-7"><p># A &amp; B<\/p>/,
      outline: { length: 0 },
    })
    if (worker === 'deaf-worker')
      t.match(await renderer.render(rendering(long('# A & B\n\n'))), { html: /<h2 id=/ })
  })
