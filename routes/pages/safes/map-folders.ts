import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { DocumentSizes } from '../../../domain/safes/documents/documents.js'
import { MAX_TILES } from '../../../engine/pictures/index.js'
import { showBytes } from '../../../platform/common/format.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { documentsPath } from '../documents/document-path.js'

/** A folder or a document that may have a tile. */
export interface MapFolder {
  /** For a folder, ending with a slash; for the whole Safe, empty. */
  path: string
  name: string
  href: string
  size: string
  weight: number
  /** Milliseconds since 1970. */
  changedAt: number
  /** Only the documents directly in the folder; its subfolders have other places. */
  isDirect: boolean
}

/** Maximum folders with their own place. */
const REGIONS = 24
/** A folder with more than this share of all text is replaced by its subfolders. */
const DOMINANT = 0.4

const byWeight = (one: MapFolder, other: MapFolder) =>
  other.weight - one.weight || (one.path < other.path ? -1 : 1)
const folderOf = (path: string) => path.slice(0, path.replace(/\/$/, '').lastIndexOf('/') + 1)

/** The largest folders, at any depth, each with the largest of its contents: at most `MAX_TILES` in all. */
export function foldersOf(safePath: string, { folders, largest }: DocumentSizes) {
  const inside = new Map<string, MapFolder[]>()
  for (const [path, { bytes, count, changedAt }] of folders) {
    const name = path === '' ? safesTexts.map.noFolder : (path.split('/').at(-2) ?? '')
    const size = safesTexts.map.folder(count, showBytes(bytes))
    const spot = { path, name, size, weight: bytes, changedAt, isDirect: false }
    const href = documentsPath(safePath, { folder: path })
    // The whole Safe has no parent.
    const parent = path === '' ? '/' : folderOf(path)
    inside.set(parent, [...(inside.get(parent) ?? []), { ...spot, href }])
  }
  const documents = largest.map(({ path, title, bytes, changedAt }): MapFolder => {
    const size = showBytes(bytes)
    const href = documentAddress(safePath, path)
    return { path, name: title, href, size, weight: bytes, changedAt, isDirect: false }
  })
  const regions = opened(inside).slice(0, REGIONS)
  const within = ({ path, isDirect }: MapFolder) => [
    ...(isDirect ? [] : (inside.get(path) ?? [])),
    ...documents.filter(document => folderOf(document.path) === path),
  ]
  const places = new Set(
    regions
      .flatMap(within)
      .sort(byWeight)
      .slice(0, MAX_TILES - regions.length - 1),
  )
  return regions.map(region => ({
    ...region,
    places: within(region)
      .filter(place => places.has(place))
      .sort(byWeight),
  }))
}

/** The folders of the Safe; those with a large share of it are opened. */
function opened(inside: ReadonlyMap<string, MapFolder[]>): MapFolder[] {
  let shown = inside.get('/') ?? []
  const all = shown.reduce((sum, { weight }) => sum + weight, 0)
  const isOpen = ({ path, weight, isDirect }: MapFolder) =>
    !isDirect && weight > DOMINANT * all && inside.has(path)
  for (let folder = shown.find(isOpen); folder; folder = shown.find(isOpen)) {
    const parts = inside.get(folder.path) ?? []
    const weight = folder.weight - parts.reduce((sum, part) => sum + part.weight, 0)
    const direct = { ...folder, weight, size: showBytes(weight), isDirect: true }
    shown = [...shown.filter(other => other !== folder), ...parts, ...(weight > 0 ? [direct] : [])]
  }
  return shown.sort(byWeight)
}
