import type { Heat, Region } from '../../../engine/pictures/index.js'
import { DAY_MS } from '../../../platform/common/durations.js'
import { showDay, showNumber } from '../../../platform/common/format.js'
import { safesTexts } from '../../../views/texts/safes.js'
import type { MapFolder } from './map-folders.js'

export interface Legend {
  says: string
  colours: { colour: Heat; name: string }[]
}

/** The colours of a map, and that of a place. */
interface Colouring {
  /** Null: colours only distinguish regions. */
  legend: Legend | null
  heatOf(spot: MapFolder): Region['heat']
}

/** The colour for a number of reads, and for a maximum age of changes in days. */
const READS: readonly (readonly [from: number, Heat])[] = [
  [10, 'often'],
  [3, 'at-times'],
  [1, 'rarely'],
]
const AGES: readonly (readonly [days: number, Heat])[] = [
  [7, 'often'],
  [30, 'at-times'],
  [365, 'rarely'],
]

/** Maximum share of places with the same colour for colours to be useful. */
const NEARLY_ALL = 0.8

/** By number of reads by assistants. */
export function byReads(reads: ReadonlyMap<string, number>, days: number, ofAll: boolean): Colouring {
  const { heats, ofEverybody, ofYours, never, read } = safesTexts.map
  return {
    legend: { says: (ofAll ? ofEverybody : ofYours)(days), colours: coloursIn(heats) },
    heatOf({ path, isDirect }) {
      const times = isDirect ? undefined : reads.get(path)
      if (times === undefined) return undefined
      const colour = READS.find(([from]) => times >= from)?.[1] ?? 'never'
      return { colour, says: times === 0 ? never : read(showNumber(times)) }
    },
  }
}

/** Before anything was read: by date of change, unless it is the same for nearly all. */
export function byAge(spots: readonly MapFolder[], now: number): Colouring {
  const { changes, changed, on } = safesTexts.map
  const colourOf = ({ changedAt }: MapFolder) =>
    AGES.find(([days]) => now - changedAt <= days * DAY_MS)?.[1] ?? 'never'
  const colours = spots.map(colourOf)
  const isOneColour = colours.some(
    colour => colours.filter(other => other === colour).length > NEARLY_ALL * colours.length,
  )
  if (isOneColour) return { legend: null, heatOf: () => undefined }
  return {
    legend: { says: changed, colours: coloursIn(changes) },
    heatOf: spot =>
      spot.isDirect ? undefined : { colour: colourOf(spot), says: on(showDay(spot.changedAt)) },
  }
}

const coloursIn = (names: Record<Heat, string>) =>
  (['never', 'rarely', 'at-times', 'often'] as const).map(colour => ({ colour, name: names[colour] }))
