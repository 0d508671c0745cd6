import type { Test } from 'tap'
import { type ZipEntry, zip } from '../../zip.js'
import { type Database, openSafe } from './open.js'

export const HOME =
  '\ufeff---\ntitle: Start here\ntags: [work, plans]\ndate: 2026-02-03\n---\r\n# Home\r\n\r\nSee [[Plan]] and [all](work/all.md).\r\n'
export const VAULT: ZipEntry[] = [
  { name: 'Home.md', content: HOME },
  { name: 'work/Plan.md', content: '# The plan\n\nFirst, rest.\n\n## Later\n\nThen work with [[Home]].\n' },
  { name: 'work/all.md', content: 'Everything.\n' },
  { name: 'work/deep/Plan.md', content: 'Another one.\n' },
  { name: 'journal/2026_01_01.md', content: 'A quiet day.\n' },
]

/** The documents of ann's Safe. */
export async function openDocuments(t: Test, over?: Database) {
  const opened = await openSafe(t, { over })
  const { domain, id, add } = opened
  const find = (path: string) => domain.documents.find('ann', id, path)
  return {
    ...opened,
    find,
    read: async (path: string) => domain.documents.read('ann', id, await find(path)),
    paths: async (options = {}) =>
      (await domain.documents.list('ann', id, { limit: 100, ...options })).map(({ path }) => path),
    addVault: (entries = VAULT, name = 'vault.zip') => add(name, zip(entries)),
  }
}
