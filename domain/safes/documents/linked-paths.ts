import { posix } from 'node:path'
import { extensionOf, isImage, withoutNotionIds } from '../../../engine/formats/index.js'
import { trimEndOf } from '../../../engine/graph/index.js'
import type { DocumentStore } from '../stores/document.sql.js'
import { addressed } from './addressed.js'
import { nameKey } from './name-key.js'

/** Links of one document that are looked up, and at once. */
const MAX_TARGETS = 10_000
const AT_ONCE = 400

/** Folders in folders whose top is looked for. */
const MAX_DEPTH = 6

/** What a link leaves out of the path of a page, and of one that is a folder. */
const PAGE = ['', '.md']
const FOLDER = ['/index.md', '/_index.md', '/index.mdx', '/README.md']

type Documents = Pick<DocumentStore, 'withPaths' | 'withNames' | 'withAddresses'>

/** The paths of documents and pictures that links in `from` mean, also as websites write them. */
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
 * What an address of a website is as a file: without what only web servers use, without the version of the
 * documentation (`/docs/next/a`, `/docs/4.x/a`), a post by its date (`/2017/02/14/a` is `2017-02-14-a`), a folder for its
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
 * The paths of documents and pictures that links in `from` mean: relative to its folder, from the top, with or without their
 * ending, folders with a page of their own, or by file name alone, then the one nearest to the top.
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
  // In this order most links are found with few lookups: a name has one, a path has one for each place where it may lead.
  await byName(isName)
  await byPath(target => withEnds(placesOf(from, target), PAGE))
  await byPath(target => (target.includes('/') ? withEnds(placesOf(from, target), FOLDER) : []))
  await byName()
  await byPath(target => withEnds(placesOf(from, target).slice(0, 1), FOLDER))
  return found
}

/** Whether it says no place, and is not what many folders have. */
const isName = (target: string) => !/[/.]|^_?(?:index|readme)$/i.test(target)

const withEnds = (places: readonly string[], ends: readonly string[]): string[] =>
  places.flatMap(place => ends.map(end => place + end))

/** The keys of the file name at the end of a link, which may have a dot instead of an ending: `release-0.74`. */
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

/** Of the paths with the name of a link the one in the place it says, in other capitals, otherwise the one nearest to the top. */
function meant(from: string, target: string, paths: readonly string[]): string | undefined {
  if (paths.length < 2) return paths.find(path => mayMean(target, path))
  const inLowerCase = new Map(paths.map(path => [path.toLowerCase(), path]))
  const there = withEnds(placesOf(from, target), PAGE).map(path => inLowerCase.get(path.toLowerCase()))
  const nearest = paths.filter(path => mayMean(target, path)).sort((one, other) => one.length - other.length)
  return there.find(path => path !== undefined) ?? nearest[0]
}

/** Whether a link that names the end of a path can mean this path; a picture is named with its ending. */
const mayMean = (target: string, path: string) =>
  endsWith(path, trimEndOf(target, '/')) &&
  ((!isImage(path) && !isImage(target)) || extensionOf(path) === extensionOf(target))

/** Whether a link that names the end of a path, such as `folder/note`, can mean this path. */
function endsWith(path: string, target: string): boolean {
  const end = target.slice(0, target.lastIndexOf('/') + 1).replace(/^(?:\.{0,2}\/)+/, '')
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return end === '' || withoutMarks(`/${folder}`).endsWith(withoutMarks(`/${end}`))
}

/** Jekyll’s folder `_docs` is `docs` in addresses. */
const withoutMarks = (folder: string) => folder.toLowerCase().replaceAll('/_', '/')

/**
 * Where a link may lead, without its ending. Websites have each page as a folder: a link beside it begins inside of it, and one
 * from the top in any of the folders that the page is in.
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
