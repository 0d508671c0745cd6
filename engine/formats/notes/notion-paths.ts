/** The id that Notion adds to names of pages in an export: `Paint the boat 152bb52ee2b580179846fd78b2b60ea9.md`. */
const ID = / [0-9a-f]{32}(?=\.[a-z0-9]{1,8}$|_all\.csv$|$)/i
/** One archive of a split export. */
const PART = /^(?:Export|ExportBlock)-[0-9a-f-]{36}(?:-Part-\d{1,4})?$/i

/** Whether the path belongs to a page or database in a Notion export. */
export const isNotion = (path: string): boolean => ID.test(lastOf(path))

/** Whether an archive inside the archive is a part of a Notion export. */
export const isNotionPart = (path: string): boolean => PART.test(path.replace(/\.zip$/i, ''))

/** The path without Notion's ids and the common folder. */
export function withoutNotionIds(path: string): string {
  const names = path.split('/').map(name => name.replace(ID, ''))
  return (PART.test(names[0] ?? '') ? names.slice(1) : names).join('/')
}

/** The paths as shown to people, in order. Pages that would share a path keep their ids. */
export function notionPaths(paths: readonly string[]): string[] {
  if (!paths.some(isNotion)) return [...paths]
  const counts = new Map<string, number>()
  const keyOf = (path: string) => withoutNotionIds(path).toLowerCase()
  for (const path of paths) counts.set(keyOf(path), (counts.get(keyOf(path)) ?? 0) + 1)
  return paths.map(path => {
    const clean = withoutNotionIds(path)
    return counts.get(keyOf(path)) === 1 ? clean : clean.slice(0, clean.lastIndexOf('/') + 1) + lastOf(path)
  })
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
