import t from 'tap'
import { SizeTally } from '../../../domain/safes/documents/size-tally.js'

/** The largest by bytes, then by name. */
const largest = (sums: Map<string, [bytes: number, count: number]>, limit: number) =>
  [...sums].sort(([a, [m]], [b, [n]]) => n - m || (a < b ? -1 : 1)).slice(0, limit)

t.test(
  'folders are added up at every depth, and the largest of any number of documents are found',
  async t => {
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
    const tally = new SizeTally(3)
    const folders = new Map<string, [number, number]>()
    const documents = new Map<string, [number, number]>()
    for (const [at, path] of [...paths].sort().entries()) {
      const bytes = ((at * 7919) % 1000) + 1
      tally.add({ path, title: `Title ${at}`, bytes, changedAt: at })
      const parts = path.split('/')
      for (let depth = 0; depth < parts.length; depth++) {
        const folder = parts
          .slice(0, depth)
          .map(part => `${part}/`)
          .join('')
        const [sum, count] = folders.get(folder) ?? [0, 0]
        folders.set(folder, [sum + bytes, count + 1])
      }
      documents.set(path, [bytes, 1])
    }
    const result = tally.result()
    t.same(new Map([...result.folders].map(([path, { bytes, count }]) => [path, [bytes, count]])), folders)
    t.equal(result.folders.get('')?.changedAt, 4_999, 'the newest')
    t.same(
      result.largest.map(({ path }) => path),
      largest(documents, 3).map(([path]) => path),
    )
  },
)
