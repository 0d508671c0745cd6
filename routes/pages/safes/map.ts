import { showBytes } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import { coloursOfTypes } from '../../../pictures/legend.js'
import { type Atlas, mapSvg, type Place, type Region } from '../../../pictures/map.js'
import { MOST_TILES } from '../../../pictures/treemap.js'
import { documentAddress } from '../../../safes/documents/document-address.js'
import type { DocumentSizes } from '../../../safes/documents/documents.js'
import type { Safes } from '../../../safes/safes.js'
import { documentsPath } from '../documents/document-path.js'
import { browsePath } from './safe-links.js'

/** The view model of `views/parts/map.eta`. */
export interface MapView {
  title: string
  /** SVG for windows of a screen, and for those of a phone. */
  wide: string
  narrow: string
  /** The same in words: its regions. */
  regions: { name: string; href: string; size: string }[]
}

/** In pixels, as they are drawn. */
const WIDE = { width: 700, height: 400 }
const NARROW = { width: 256, height: 420 }
/** Folders that have a place of their own. */
const REGIONS = 24

/**
 * What is in a Safe, by how much there is: folders and documents, or types unless there are several documents, and not
 * more than can be looked at. Null: there is nothing to compare.
 */
export async function mapOf(
  { documents, browse }: Pick<Safes, 'documents' | 'browse'>,
  accountId: string,
  safeId: string,
  path: string,
): Promise<MapView | null> {
  const sizes = await documents.sizes(accountId, safeId, MOST_TILES)
  if (sizes.count > 1 && sizes.isWhole) return drawn(messages.map.documents, foldersOf(path, sizes))
  const { types, counts } = await browse.contents(accountId, safeId, MOST_TILES - 1)
  // One tile says nothing.
  return types.length < 2 ? null : drawn(messages.map.types, typesOf(path, types, counts.entities))
}

/** What is drawn, in either size. */
type Parts = Pick<Atlas, 'regions' | 'other' | 'sizeOf'>

function drawn(title: string, parts: Parts): MapView {
  const atlas = { title, more: messages.map.more, ...parts }
  const { regions, other } = parts
  return {
    title,
    wide: mapSvg({ ...atlas, ...WIDE }),
    narrow: mapSvg({ ...atlas, ...NARROW }),
    regions: [...regions, ...(other.weight > 0 ? [other] : [])].map(({ name, href, size }) => {
      return { name, href, size }
    }),
  }
}

/** Folders with the largest of what is in them: with the tiles for the rest of each, at most `MOST_TILES`. */
function foldersOf(path: string, { top, folders, entries, bytes, count }: DocumentSizes): Parts {
  const shown = folders.slice(0, REGIONS)
  const colours = coloursOfTypes(shown.map(({ folder }) => folder))
  const largest = entries.slice(0, MOST_TILES - shown.length - 1)
  const regions = shown.map(
    ({ folder, bytes, count }): Region => ({
      name: folder === '' ? messages.map.noFolder : nameOf(folder),
      size: messages.map.folder(count, showBytes(bytes)),
      href: documentsPath(path, { folder }),
      weight: bytes,
      colour: colours.get(folder) ?? 'none',
      places: largest.filter(entry => entry.folder === folder).map(entry => placeOf(path, entry)),
    }),
  )
  const rest = shown.reduce(
    (left, folder) => ({ bytes: left.bytes - folder.bytes, count: left.count - folder.count }),
    { bytes, count },
  )
  const other = {
    name: messages.map.other,
    size: messages.map.folder(rest.count, showBytes(rest.bytes)),
    href: documentsPath(path, { folder: top }),
    weight: rest.bytes,
  }
  return { regions, other, sizeOf: showBytes }
}

function placeOf(path: string, entry: DocumentSizes['entries'][number]): Place {
  const isFolder = entry.path.endsWith('/')
  const size = showBytes(entry.bytes)
  return {
    name: isFolder ? nameOf(entry.path) : entry.title,
    size: isFolder ? messages.map.folder(entry.count, size) : size,
    href: isFolder ? documentsPath(path, { folder: entry.path }) : documentAddress(path, entry.path),
    weight: entry.bytes,
  }
}

const nameOf = (folder: string) => folder.split('/').at(-2) ?? ''

function typesOf(path: string, types: { name: string; count: number }[], all: number): Parts {
  const sizeOf = messages.safes.entities
  const colours = coloursOfTypes(types.map(({ name }) => name))
  const regions = types.map(
    ({ name, count }): Region => ({
      name,
      size: sizeOf(count),
      href: browsePath(path, { type: name }),
      weight: count,
      colour: colours.get(name) ?? 'none',
      places: [],
    }),
  )
  const weight = all - types.reduce((sum, { count }) => sum + count, 0)
  const other = { name: messages.map.other, size: sizeOf(weight), href: browsePath(path, {}), weight }
  return { regions, other, sizeOf }
}
