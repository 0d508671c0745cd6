import { pathWith } from '../list.js'

/** The list of a folder's documents, or of those with words or a tag. */
export const documentsPath = (safePath: string, query: { folder?: string; q?: string; tag?: string } = {}) =>
  pathWith(`${safePath}/documents`, query)

/** A folder and those above it, from the root: the path shown before a document's name. */
export function crumbs(safePath: string, folder: string, top: string): { name: string; href: string }[] {
  const names = folder.split('/').filter(Boolean)
  const above = names.map((name, at) => ({
    name,
    href: documentsPath(safePath, { folder: `${names.slice(0, at + 1).join('/')}/` }),
  }))
  return [{ name: top, href: documentsPath(safePath) }, ...above]
}
