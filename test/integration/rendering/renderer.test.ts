import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Renderer } from '../../../domain/safes/rendering/renderer.js'
import { parseDocument } from '../../../engine/rendering/document.js'
import { startChild } from '../../../platform/processes/child.js'

const LIMITS = { heapMb: 64, memoryMb: 128 }
const long = (text: string) => text.repeat(Math.ceil(20_000 / text.length))
const rendering = (text: string) => ({
  ...{ accountId: 'ann', safe: 's', hash: 'h' },
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

for (const [worker, what] of [
  ['silent-worker', 'takes too long'],
  ['deaf-worker', 'kills its process'],
] as const)
  t.test(`a document that ${what} is shown as plain text, and the next one is rendered`, async t => {
    const from = import.meta.url
    const workers = [worker, '../../../domain/safes/rendering/render-worker']
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

t.test(
  'a long document is rendered once, and again when anything has changed that it depends on',
  async t => {
    let started = 0
    const renderer = new Renderer(() => {
      started++
      return startChild('../../../domain/safes/rendering/render-worker', import.meta.url, {
        heapMb: 192,
        memoryMb: 288,
      })
    })
    t.teardown(() => renderer.close())
    const text = long('# Notes\n\nSee [[Plan]] and [[Ada]].\n\n')
    const first = rendering(text)
    const again = async (changed: Partial<Parameters<Renderer['render']>[0]>) => {
      const { html } = await renderer.render({ ...first, ...changed })
      const isNew = started === 1
      started = 0
      renderer.close()
      return [isNew, html] as const
    }
    const [, html] = await again({})
    t.same(await again({}), [false, html])
    const [isDead, dead] = await again({ resolve: async () => new Map() })
    t.ok(isDead, 'where links lead')
    t.match(dead, '<span class="dead">Plan</span>')
    t.same(await again({}), [false, html], 'both are kept')
    const [isRead, read] = await again({ passages: [{ id: '7', line: 3, isRead: true }] })
    t.ok(isRead, 'what was read')
    t.match(read, 'place read')
    t.ok((await again({ title: 'Other' }))[0], 'the title')
    t.ok((await again({ safe: 'other' }))[0], 'the Safe')
    t.ok((await again({ text: `${text}more` }))[0], 'the text')
  },
)

t.test('the process starts before a long document is read, unless it is kept', async t => {
  let started = 0
  const renderer = new Renderer(() => {
    started++
    return startChild('../../../domain/safes/rendering/render-worker', import.meta.url, {
      heapMb: 192,
      memoryMb: 288,
    })
  })
  t.teardown(() => renderer.close())
  const { safe, hash } = rendering('')
  renderer.prepare({ safe, hash }, 1_000)
  t.equal(started, 0, 'a short one')
  renderer.prepare({ safe, hash }, 100_000)
  renderer.prepare({ safe, hash }, 100_000)
  t.equal(started, 1)
  await renderer.render(rendering(long('a b\n')))
  renderer.close()
  renderer.prepare({ safe, hash }, 100_000)
  t.equal(started, 1)
})

/** Renders the named documents ahead, and records the texts read for it. */
function aheadOf(renderer: Renderer) {
  const read: string[] = []
  const ahead = (hash: string, bytes = 1_000_000, text = long(`# ${hash}\n\n`)) =>
    renderer.ahead({ safe: 's', hash }, bytes, async () => {
      read.push(hash)
      return { ...rendering(text), hash }
    })
  return { ahead, read }
}

const opened = (hash: string) => ({ ...rendering(long(`# ${hash}\n\n`)), hash })

t.test('what was rendered ahead is there when it is opened', async t => {
  let started = 0
  const renderer = new Renderer(() => {
    started++
    return startChild('../../../domain/safes/rendering/render-worker', import.meta.url, {
      heapMb: 192,
      memoryMb: 288,
    })
  })
  t.teardown(() => renderer.close())
  const { ahead, read } = aheadOf(renderer)
  await ahead('short', 10_000)
  t.equal(started, 0, 'a short one is not')
  await ahead('long', 50_000)
  t.equal(started, 1, 'for a long one the process is started')
  t.same(read, [])
  await Promise.all([ahead('one'), ahead('two')])
  t.same(read, ['one'], 'one at a time')
  await ahead('one')
  t.same(read, ['one'], 'and once')
  const isAhead = ahead('three')
  t.match(await renderer.render(opened('three')), { html: /three/ }, 'or is waited for')
  await isAhead
  renderer.close()
  started = 0
  for (const hash of ['one', 'three']) t.match(await renderer.render(opened(hash)), { html: RegExp(hash) })
  t.equal(started, 0)
})

t.test('whoever opens a document does not wait for what is rendered ahead', async t => {
  const workers = ['silent-worker']
  const renderer = new Renderer(() =>
    startChild(workers.pop() ?? '../../../domain/safes/rendering/render-worker', import.meta.url, LIMITS),
  )
  t.teardown(() => renderer.close())
  const { ahead, read } = aheadOf(renderer)
  const isAhead = ahead('one')
  await nextTurn()
  t.match(await renderer.render(opened('two')), { html: /<h2 id=.*two/ })
  await isAhead
  await ahead('one')
  t.same(read, ['one', 'one'], 'what was given up is rendered another time')
  const isOpen = renderer.render(opened('three'))
  await nextTurn()
  await ahead('four')
  await isOpen
  t.same(read, ['one', 'one'], 'and nothing while somebody waits')
})

t.test('a document that cannot be rendered ahead is not tried again', async t => {
  const renderer = new Renderer()
  t.teardown(() => renderer.close())
  let tries = 0
  const gone = async () => {
    tries++
    throw new Error('gone')
  }
  await renderer.ahead({ safe: 's', hash: 'gone' }, 1_000_000, gone)
  await renderer.ahead({ safe: 's', hash: 'gone' }, 1_000_000, gone)
  t.equal(tries, 1)
})

t.test('long documents of one reader do not keep another waiting (issue 53)', async t => {
  const workers = ['silent-worker']
  const start = () =>
    startChild(workers.pop() ?? '../../../domain/safes/rendering/render-worker', import.meta.url, LIMITS)
  const renderer = new Renderer(start, 500, 600_000)
  t.teardown(() => renderer.close())
  const order: string[] = []
  const open = async (accountId: string, hash: string) => {
    const article = await renderer.render({ ...opened(hash), accountId })
    order.push(article.isPlain ? `${hash} plain` : hash)
  }
  const hog = ['1', '2', '3', '4', '5'].map(hash => open('hog', hash))
  await Promise.all([...hog, open('ann', 'hers')])
  t.same(order.slice(0, 2).sort(), ['4 plain', '5 plain'], 'one in progress, two waiting')
  t.same(
    order.slice(2).map(one => one.split(' ')[0]),
    ['1', 'hers', '2', '3'],
  )
})

t.test('a document waits for its turn so long and no longer (issue 53)', async t => {
  const renderer = new Renderer(() => startChild('silent-worker', import.meta.url, LIMITS), 600_000, 1)
  t.teardown(() => renderer.close())
  const endless = renderer.render({ ...opened('endless'), accountId: 'hog' })
  t.match(await renderer.render({ ...opened('hers'), accountId: 'ann' }), {
    isPlain: true,
    html: /<section class="place plain"/,
  })
  await renderer.close()
  await endless
})

t.test('a document that took too long is shown as plain text at once from then on (issue 53)', async t => {
  let started = 0
  const start = () => {
    started++
    return startChild('silent-worker', import.meta.url, LIMITS)
  }
  const renderer = new Renderer(start, 50)
  t.teardown(() => renderer.close())
  for (const accountId of ['ann', 'ann', 'bob'])
    t.match(await renderer.render({ ...opened('one'), accountId }), { isPlain: true })
  t.equal(started, 1)
})

t.test('of texts that are shown as plain text at once, each takes its turn (issue 53)', async t => {
  const renderer = new Renderer(() => startChild('silent-worker', import.meta.url, LIMITS), 50)
  t.teardown(() => renderer.close())
  const slow = rendering('A line.\n'.repeat(120_000))
  t.match(await renderer.render(slow), { isPlain: true })
  const order: string[] = []
  const shown = ['one', 'two', 'three'].map(async name => {
    await renderer.render(slow)
    order.push(name)
  })
  while (order.filter(one => one !== '').length < shown.length) {
    await nextTurn()
    order.push('')
  }
  t.strictSame(
    order.filter((one, at) => at > 0 && one !== '' && order[at - 1] !== ''),
    [],
    'others come between them',
  )
})
