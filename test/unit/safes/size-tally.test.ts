import t from 'tap'
import { SizeTally } from '../../../domain/safes/documents/size-tally.js'

/** The largest by bytes, then by name. */
const largest = (sums: Map<string, [bytes: number, count: number]>, limit: number) =>
  [...sums].sort(([a, [m]], [b, [n]]) => n - m || (a < b ? -1 : 1)).slice(0, limit)

t.test('the largest folders and entries of any number of documents are found', async t => {
  const paths = new Set<string>()
  for (let at = 0; at < 5_000; at++) {
    const depth = at % 4
    paths.add(
      [
        'top',
        ...Array.from({ length: depth }, (_, level) => `f${(at * (level + 7)) % (level === 0 ? 400 : 9)}`),
        `${at}.md`,
      ].join('/'),
    )
  }
  const tally = new SizeTally('top/', 3)
  const folders = new Map<string, [number, number]>()
  const entries = new Map<string, [number, number]>()
  const add = (sums: Map<string, [number, number]>, key: string, bytes: number) => {
    const [sum, count] = sums.get(key) ?? [0, 0]
    sums.set(key, [sum + bytes, count + 1])
  }
  const documents = new Map<string, [number, number]>()
  let all = 0
  for (const [at, path] of [...paths].sort().entries()) {
    const bytes = ((at * 7919) % 1000) + 1
    tally.add(path, `Title ${at}`, bytes)
    const [, first = '', second = '', ...rest] = path.split('/')
    const folder = second === '' ? 'top/' : `top/${first}/`
    add(folders, folder, bytes)
    add(entries, rest.length > 0 ? `top/${first}/${second}/` : path, bytes)
    documents.set(path, [bytes, 1])
    all += bytes
  }
  const result = tally.result()
  t.same([result.bytes, result.count], [all, 5_000])
  t.same(
    result.folders.map(({ folder, bytes, count }) => [folder, [bytes, count]]),
    largest(folders, 3),
  )
  t.same(
    result.entries.map(({ path, bytes, count }) => [path, [bytes, count]]),
    largest(entries, 3),
  )
  t.same(
    result.largest,
    largest(documents, 3).map(([path]) => path),
  )
})
