import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { DocumentSizes } from '../../../domain/safes/documents/documents.js'
import {
  type Atlas,
  coloursOfTypes,
  MAX_TILES,
  type Place,
  type Region,
} from '../../../engine/pictures/index.js'
import { showBytes } from '../../../platform/common/format.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { documentsPath } from '../documents/document-path.js'

/** What is drawn, in either size. */
export type Parts = Pick<Atlas, 'regions' | 'other' | 'sizeOf'>

/** Folders that have a place of their own. */
const REGIONS = 24

const shownFolders = ({ folders }: Pick<DocumentSizes, 'folders'>) => folders.slice(0, REGIONS)

const shownEntries = ({ folders, entries }: Pick<DocumentSizes, 'folders' | 'entries'>) =>
  entries.slice(0, MAX_TILES - shownFolders({ folders }).length - 1)

/** The folders and documents that may have a tile. */
export const shownPlaces = (sizes: DocumentSizes): string[] => [
  ...shownFolders(sizes).flatMap(({ folder }) => (folder === sizes.top ? [] : [folder])),
  ...shownEntries(sizes).map(({ path }) => path),
]

/** Folders with the largest of what is in them: with the tiles for the rest of each, at most `MAX_TILES`. */
export function foldersOf(
  path: string,
  { top, folders, entries, bytes, count }: DocumentSizes,
  reads: ReadonlyMap<string, number> | null,
): Parts {
  const shown = shownFolders({ folders })
  const colours = coloursOfTypes(reads ? [] : shown.map(({ folder }) => folder))
  const largest = shownEntries({ folders, entries })
  const regions = shown.map(
    ({ folder, bytes, count }): Region => ({
      name: folder === '' ? safesTexts.map.noFolder : nameOf(folder),
      size: safesTexts.map.folder(count, showBytes(bytes)),
      href: documentsPath(path, { folder }),
      weight: bytes,
      colour: colours.get(folder) ?? 'none',
      // Of the documents directly in the folder of all, only those that are shown are known.
      reads: folder === top ? undefined : reads?.get(folder),
      places: largest
        .filter(entry => entry.folder === folder)
        .map(entry => placeOf(path, entry, reads?.get(entry.path))),
    }),
  )
  const rest = shown.reduce(
    (left, folder) => ({ bytes: left.bytes - folder.bytes, count: left.count - folder.count }),
    { bytes, count },
  )
  const other = {
    name: safesTexts.map.other,
    size: safesTexts.map.folder(rest.count, showBytes(rest.bytes)),
    href: documentsPath(path, { folder: top }),
    weight: rest.bytes,
  }
  return { regions, other, sizeOf: showBytes }
}

function placeOf(path: string, entry: DocumentSizes['entries'][number], reads: number | undefined): Place {
  const isFolder = entry.path.endsWith('/')
  const size = showBytes(entry.bytes)
  return {
    name: isFolder ? nameOf(entry.path) : entry.title,
    size: isFolder ? safesTexts.map.folder(entry.count, size) : size,
    href: isFolder ? documentsPath(path, { folder: entry.path }) : documentAddress(path, entry.path),
    weight: entry.bytes,
    reads,
  }
}

const nameOf = (folder: string) => folder.split('/').at(-2) ?? ''
