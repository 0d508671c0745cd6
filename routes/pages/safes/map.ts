import type { DocumentReaders } from '../../../domain/activity/document-readers.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { Safes } from '../../../domain/safes/safes.js'
import { amount } from '../../../domain/safes/size-text.js'
import { coloursOfTypes, type Heat, MAX_TILES, mapSvg, type Region } from '../../../engine/pictures/index.js'
import { showNumber } from '../../../platform/common/format.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { foldersOf, type Parts, shownPlaces } from './map-folders.js'
import { browsePath } from './safe-links.js'

/** The view model of `views/parts/map.eta`. */
export interface MapView {
  title: string
  /** SVG for windows of a screen, and for those of a phone. */
  wide: string
  narrow: string
  /** Whether that of documents is still being made. */
  isEarly?: boolean
  /** What the colours mean; null: they only tell regions apart. */
  legend: { says: string; colours: { colour: Heat; name: string }[] } | null
  /** The same in words: its regions. */
  regions: { name: string; href: string; size: string }[]
}

/** In pixels, as they are drawn. */
const WIDE = { width: 760, height: 520 }
const NARROW = { width: 320, height: 560 }
/** From so many reads on, a colour: 0, 1 to 2, 3 to 9, more. */
const HEATS: readonly (readonly [from: number, Heat])[] = [
  [10, 'often'],
  [3, 'at-times'],
  [1, 'rarely'],
  [0, 'never'],
]

interface Sources {
  safes: Pick<Safes, 'documents' | 'browse'>
  activity: { documents: Pick<DocumentReaders, 'timesIn' | 'days'> }
}

/**
 * What is in a Safe, by how much there is: folders and documents, coloured by how often assistants read them, or types
 * unless there are several documents, or as long as so many of them are being looked at. Null: there is nothing to compare.
 */
export async function mapOf(
  { safes, activity }: Sources,
  accountId: string,
  { id, role }: ReadableSafe,
  path: string,
): Promise<MapView | null> {
  const sizes = await safes.documents.sizes(accountId, id, MAX_TILES)
  if (sizes && sizes.count > 1) {
    const { days } = activity.documents
    const reads = days === 0 ? null : await activity.documents.timesIn(accountId, id, shownPlaces(sizes))
    const parts = foldersOf(path, sizes, reads)
    return drawn(safesTexts.map.documents, parts, reads && legendOf(days, role === 'owner'))
  }
  const { types, counts } = await safes.browse.contents(accountId, id, MAX_TILES - 1)
  // One tile says nothing.
  if (types.length < 2) return null
  const drawing = drawn(safesTexts.map.types, typesOf(path, types, counts.entities), null)
  return { ...drawing, isEarly: sizes === null }
}

function drawn(title: string, parts: Parts, legend: MapView['legend']): MapView {
  const atlas = { title, more: safesTexts.map.more, heat: legend ? heatOf : undefined, ...parts }
  const { regions, other } = parts
  return {
    title,
    wide: mapSvg({ ...atlas, ...WIDE }),
    narrow: mapSvg({ ...atlas, ...NARROW }),
    legend,
    regions: [...regions, ...(other.weight > 0 ? [other] : [])].map(({ name, href, size, reads }) => ({
      ...{ name, href },
      size: legend && reads !== undefined ? `${size} · ${readsText(reads)}` : size,
    })),
  }
}

const heatOf = (reads: number) => ({
  colour: HEATS.find(([from]) => reads >= from)?.[1] ?? 'never',
  says: readsText(reads),
})

const readsText = (reads: number) =>
  reads === 0 ? safesTexts.map.never : safesTexts.map.read(showNumber(reads))

function legendOf(days: number, ofAll: boolean): NonNullable<MapView['legend']> {
  const { heats, ofEverybody, ofYours } = safesTexts.map
  const colours = HEATS.map(([, colour]) => ({ colour, name: heats[colour] })).reverse()
  return { says: (ofAll ? ofEverybody : ofYours)(days), colours }
}

function typesOf(path: string, types: { name: string; count: number }[], all: number): Parts {
  const sizeOf = amount.things
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
  const other = { name: safesTexts.map.other, size: sizeOf(weight), href: browsePath(path, {}), weight }
  return { regions, other, sizeOf }
}
