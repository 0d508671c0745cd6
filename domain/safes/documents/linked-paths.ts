import { posix } from 'node:path'
import { extensionOf, isImage, withoutNotionIds } from '../../../engine/formats/index.js'
import { trimEndOf } from '../../../engine/graph/index.js'
import type { DocumentStore } from '../stores/document.sql.js'
import { nameKey } from './name-key.js'

/** Maximum links of one document that are looked up, in all and at once. */
const MAX_TARGETS = 10_000
const AT_ONCE = 400

/** Maximum depth at which the root of nested folders is searched for. */
const MAX_DEPTH = 6

/** The endings a link omits from the path of a page, and of a folder's page. */
const PAGE = ['', '.md']
const FOLDER = ['/index.md', '/_index.md', '/index.mdx', '/README.md']

type Documents = Pick<DocumentStore, 'withPaths' | 'withNames' | 'withAddresses'>

/** The paths of documents and pictures that links in `from` refer to, also in the spelling of websites. */
export async function linkedPaths(
  documents: Documents,
  safeId: string,
  from: string,
  targets: readonly string[],
): Promise<Map<string, string>> {
  const found = await pathsOf(documents, safeId, from, targets)
  const others = targets.filter(target => !found.has(target)).map(target => [target, fileOf(target)] as const)
  const changed = others.filter(([target, file]) => file !== target && file !== '')
  const files = await pathsOf(documents, safeId, from, [...new Set(changed.map(([, file]) => file))])
  for (const [target, file] of changed) {
    const path = files.get(file)
    if (path !== undefined) found.set(target, path)
  }
  const left = others.filter(([target]) => !found.has(target)).slice(0, MAX_TARGETS)
  for (let at = 0; at < left.length; at += AT_ONCE) {
    const some = left.slice(at, at + AT_ONCE)
    const known = await documents.withAddresses(safeId, some.flat().flatMap(namesOf))
    for (const [target, file] of some) {
      const path = addressed(from, target, known) ?? addressed(from, file, known)
      if (path !== undefined) found.set(target, path)
    }
  }
  return found
}

/**
 * The file for an address of a website: without parts that only web servers use, without the version of the
 * documentation (`/docs/next/a`, `/docs/4.x/a`), a post by its date (`/2017/02/14/a` is `2017-02-14-a`), a folder as its
 * `index.html`, a page of a wiki with its dashes (`A page` is `A-page`).
 */
const fileOf = (target: string) =>
  (isName(target) ? target.replaceAll(' ', '-') : withoutQuery(target))
    .replace(/^(\/(?:[\w-]{1,60}\/)?)(?:next|latest|stable|current|v?\d{1,3}\.(?:\d{1,3}|x))\//, '$1')
    .replace(/^.*?(\d{4})\/(\d\d)\/(\d\d)\/([^/]+?)\/?$/, '$1-$2-$3-$4')
    .replace(/(^|\/)index\.html?$/, (_, slash: string) => slash || '.')

function withoutQuery(target: string): string {
  const at = target.indexOf('?', target.lastIndexOf('/') + 1)
  return at < 0 ? target : target.slice(0, at)
}

/**
 * The paths of documents and pictures that links in `from` refer to: relative to its folder, from the root, with or without
 * extension, folders with their own page, or by file name alone, then the one nearest to the root.
 */
async function pathsOf(
  documents: Documents,
  safeId: string,
  from: string,
  targets: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const forSome = async (
    look: (some: readonly string[]) => Promise<void>,
    isWanted = (_: string) => true,
  ) => {
    const left = targets.slice(0, MAX_TARGETS).filter(target => !found.has(target) && isWanted(target))
    for (let at = 0; at < left.length; at += AT_ONCE) await look(left.slice(at, at + AT_ONCE))
  }
  const byPath = (placesFor: (target: string) => string[]) =>
    forSome(async some => {
      const paths = some.map(placesFor)
      const there = new Set(await documents.withPaths(safeId, paths.flat()))
      for (const [at, target] of some.entries()) {
        const path = paths[at]?.find(path => there.has(path))
        if (path !== undefined) found.set(target, path)
      }
    })
  const byName = (isWanted?: (target: string) => boolean) =>
    forSome(async some => {
      const named = groupedByName(await documents.withNames(safeId, some.flatMap(namesOf)))
      for (const target of some) {
        const path = meant(
          from,
          target,
          namesOf(target).flatMap(name => named.get(name) ?? []),
        )
        if (path !== undefined) found.set(target, path)
      }
    }, isWanted)
  // This order finds most links with few lookups: a name needs one, a path needs one for each place it may lead to.
  await byName(isName)
  await byPath(target => withEnds(placesOf(from, target), PAGE))
  await byPath(target => (target.includes('/') ? withEnds(placesOf(from, target), FOLDER) : []))
  await byName()
  await byPath(target => withEnds(placesOf(from, target).slice(0, 1), FOLDER))
  return found
}

/** Whether it is a bare name, and not one that many folders have. */
const isName = (target: string) => !/[/.]|^_?(?:index|readme)$/i.test(target)

const withEnds = (places: readonly string[], ends: readonly string[]): string[] =>
  places.flatMap(place => ends.map(end => place + end))

/** The keys of the file name at the end of a link, which may contain a dot without an extension: `release-0.74`. */
function namesOf(target: string): string[] {
  const path = trimEndOf(target, '/')
  return [...new Set([nameKey(path), nameKey(`${path}.md`)])]
}

function groupedByName(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>()
  for (const path of paths) {
    const same = named.get(nameKey(path))
    if (same) same.push(path)
    else named.set(nameKey(path), [path])
  }
  return named
}

/** Of the paths with the name of a link, the one that matches its folders in any case, else the one nearest to the root. */
function meant(from: string, target: string, paths: readonly string[]): string | undefined {
  if (paths.length < 2) return paths.find(path => mayMean(target, path))
  const inLowerCase = new Map(paths.map(path => [path.toLowerCase(), path]))
  const there = withEnds(placesOf(from, target), PAGE).map(path => inLowerCase.get(path.toLowerCase()))
  const nearest = paths.filter(path => mayMean(target, path)).sort((one, other) => one.length - other.length)
  return there.find(path => path !== undefined) ?? nearest[0]
}

/** Whether a link to the end of a path can refer to this path; pictures need their extension. */
const mayMean = (target: string, path: string) =>
  endsWith(path, trimEndOf(target, '/')) &&
  ((!isImage(path) && !isImage(target)) || extensionOf(path) === extensionOf(target))

/** Whether a link to the end of a path, such as `folder/note`, can refer to this path. */
function endsWith(path: string, target: string): boolean {
  const end = target.slice(0, target.lastIndexOf('/') + 1).replace(/^(?:\.{0,2}\/)+/, '')
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return end === '' || withoutMarks(`/${folder}`).endsWith(withoutMarks(`/${end}`))
}

/** Jekyll’s folder `_docs` is `docs` in addresses. */
const withoutMarks = (folder: string) => folder.toLowerCase().replaceAll('/_', '/')

/**
 * The possible targets of a link, without extension. Websites have each page as a folder: a relative link then starts inside of it, and one
 * from the root in any of the folders that contain the page.
 */
function placesOf(from: string, target: string): string[] {
  const relative = posix.join(posix.dirname(from), target)
  const fromTop = posix.normalize(target.replace(/^\/+/, ''))
  const asFolder = target.startsWith('/')
    ? foldersOf(from).map(folder => posix.join(folder, target))
    : [posix.join(from.replace(/\.\w{1,8}$/, ''), target)]
  const places = [relative, fromTop, withoutNotionIds(relative), ...asFolder].map(place =>
    trimEndOf(place, '/'),
  )
  return [...new Set(places)].filter(place => place !== '' && place !== '.' && !place.startsWith('..'))
}

/** The folders that a document is in, the innermost first. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1).slice(0, MAX_DEPTH)
  return names.map((_, at) => names.slice(0, names.length - at).join('/'))
}

/** The names links may use for a document. */
interface Address {
  path: string
  address: string
}

/**
 * The path of the document that a link in `from` refers to by an address. Its folders must match, as far as both have any: the
 * candidate with the most matching folders, then the one nearest to `from`.
 */
function addressed(from: string, target: string, known: readonly Address[]): string | undefined {
  const wanted = partsOf(target.startsWith('/') || !target.includes('/') ? target : inFolder(from, target))
  let best: { path: string; rank: readonly number[] } | undefined
  for (const { path, address } of known) {
    const below = partsOf(inFolder(path, address))
    // The root is that of the website, or of the part of it that contains the folder.
    const same = Math.max(
      sameAtEnd(below, wanted),
      address.startsWith('/') ? sameAtEnd(partsOf(address), wanted) : 0,
    )
    if (same < Math.max(1, Math.min(2, below.length, wanted.length))) continue
    const rank = [same, sameAtBegin(partsOf(path), partsOf(from)), -path.length]
    if (!best || isBefore(best.rank, rank)) best = { path, rank }
  }
  return best?.path
}

const inFolder = (path: string, target: string) => `${path.slice(0, path.lastIndexOf('/') + 1)}${target}`

/** The names in a path, as keys; `..` removes the previous one. Without the prefixes that order the files of a folder. */
function partsOf(path: string): string[] {
  const parts: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') parts.pop()
    else if (name !== '' && name !== '.')
      parts.push(nameKey(name).replace(/^(?:\d{1,3}[._-](?=\p{L})|_)/u, ''))
  }
  return parts
}

function sameAtEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count)) count++
  return count
}

function sameAtBegin(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count++
  return count
}

const isBefore = (one: readonly number[], other: readonly number[]) => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}
