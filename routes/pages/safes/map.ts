import type { DocumentReaders } from '../../../domain/activity/document-readers.js'
import type { DocumentSizes } from '../../../domain/safes/documents/documents.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { Safes } from '../../../domain/safes/safes.js'
import { amount } from '../../../domain/safes/size-text.js'
import { type Atlas, coloursOfTypes, MAX_TILES, mapSvg, type Region } from '../../../engine/pictures/index.js'
import { showBytes } from '../../../platform/common/format.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { documentsPath } from '../documents/document-path.js'
import { byAge, byReads, type Legend } from './map-colours.js'
import { foldersOf } from './map-folders.js'
import { browsePath } from './safe-links.js'

/** The view model of `views/parts/map.eta`. */
interface MapView {
  title: string
  /** SVG; on a phone the list is shown instead. */
  wide: string
  /** Whether the map of documents is still being computed. */
  isEarly?: boolean
  /** The meaning of the colours; null: they only distinguish regions. */
  legend: Legend | null
  /** The same in words: its regions. */
  regions: { name: string; href: string; size: string }[]
}

/** In pixels, as drawn. */
const SIZE = { width: 760, height: 520 }
interface MapSources {
  safes: Pick<Safes, 'documents' | 'browse'>
  activity: { documents: Pick<DocumentReaders, 'timesIn' | 'days'>; now(): number }
}

/**
 * The contents of a Safe, by size: folders and documents, or types unless there are several documents or while
 * many documents are still being counted. Null: there is nothing to compare.
 */
export async function mapOf(
  sources: MapSources,
  accountId: string,
  safe: ReadableSafe,
  path: string,
): Promise<MapView | null> {
  const { documents, browse } = sources.safes
  const sizes = await documents.sizes(accountId, safe.id, MAX_TILES)
  const { bytes, count } = sizes?.folders.get('') ?? { bytes: 0, count: 0 }
  if (sizes && count > 1) return documentsMap(sources, accountId, safe, path, { ...sizes, bytes })
  const { types, counts } = await browse.contents(accountId, safe.id, MAX_TILES - 1)
  // A single tile is useless.
  if (types.length < 2) return null
  const drawing = drawn(safesTexts.map.types, typesOf(path, types, counts.entities), null)
  return { ...drawing, isEarly: sizes === null }
}

async function documentsMap(
  { activity }: MapSources,
  accountId: string,
  { id, role }: ReadableSafe,
  path: string,
  sizes: DocumentSizes & { bytes: number },
): Promise<MapView> {
  const folders = foldersOf(path, sizes)
  const spots = folders.flatMap(({ places, ...folder }) => [folder, ...places])
  const paths = spots.flatMap(({ path, isDirect }) => (path === '' || isDirect ? [] : [path]))
  const { days } = activity.documents
  const reads = days === 0 ? new Map() : await activity.documents.timesIn(accountId, id, paths)
  const isRead = [...reads.values()].some(times => times > 0)
  const { legend, heatOf } = isRead ? byReads(reads, days, role === 'owner') : byAge(spots, activity.now())
  const colours = coloursOfTypes(folders.map(folder => folder.path))
  const regions = folders.map(
    ({ places, ...folder }): Region => ({
      ...folder,
      heat: heatOf(folder),
      colour: legend ? 'none' : (colours.get(folder.path) ?? 'none'),
      places: places.map(place => ({ ...place, heat: heatOf(place) })),
    }),
  )
  const [only] = regions
  // Documents that are all in one folder are shown without it.
  const shown =
    only && regions.length === 1 ? only.places.map(place => ({ ...only, ...place, places: [] })) : regions
  const weight = sizes.bytes - shown.reduce((sum, region) => sum + region.weight, 0)
  const other = { name: safesTexts.map.other, size: showBytes(weight), href: documentsPath(path), weight }
  return drawn(safesTexts.map.documents, { regions: shown, other, sizeOf: showBytes }, legend)
}

type Parts = Pick<Atlas, 'regions' | 'other' | 'sizeOf'>

function drawn(title: string, parts: Parts, legend: MapView['legend']): MapView {
  const { regions, other } = parts
  return {
    title,
    wide: mapSvg({ title, more: safesTexts.map.more, ...SIZE, ...parts }),
    legend,
    regions: [...regions, ...(other.weight > 0 ? [other] : [])].map(({ name, href, size, heat }) => ({
      ...{ name, href },
      size: heat ? `${size} · ${heat.says}` : size,
    })),
  }
}

function typesOf(path: string, types: { type: string; count: number }[], all: number): Parts {
  const sizeOf = amount.things
  const colours = coloursOfTypes(types.map(({ type }) => type))
  const regions = types.map(
    ({ type, count }): Region => ({
      name: type,
      size: sizeOf(count),
      href: browsePath(path, { type }),
      weight: count,
      colour: colours.get(type) ?? 'none',
      places: [],
    }),
  )
  const weight = all - types.reduce((sum, { count }) => sum + count, 0)
  const other = { name: safesTexts.map.other, size: sizeOf(weight), href: browsePath(path, {}), weight }
  return { regions, other, sizeOf }
}
