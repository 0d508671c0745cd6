import { connectionsTexts } from '../../../views/texts/connections.js'

/** Units of the drawing: a bar with its gap, and the highest bar. */
const STEP = 10
const BAR = 8
const HEIGHT = 40
/** The height of the lowest bar, so that one call is visible next to a thousand. */
const MIN_BAR = 2

/** A bar chart of calls a day (`views/parts/calls-chart.eta`). */
export interface CallsChart {
  title: string
  /** The same in words. */
  text: string
  width: number
  height: number
  bars: { x: number; y: number; width: number; height: number }[]
}

/** Draws the calls of each day, today last. Null if there were none. */
export function callsChart(days: readonly number[]): CallsChart | null {
  const most = Math.max(0, ...days)
  if (most === 0) return null
  const total = days.reduce((sum, calls) => sum + calls, 0)
  const ago = days.length - 1 - days.lastIndexOf(most)
  const bars = days.flatMap((calls, i) => {
    if (calls === 0) return []
    const height = Math.max(MIN_BAR, Math.round((calls / most) * HEIGHT))
    return [{ x: i * STEP, y: HEIGHT - height, width: BAR, height }]
  })
  return {
    title: connectionsTexts.callsChart.title(days.length),
    text: connectionsTexts.callsChart.text(total, days.length, most, ago),
    width: days.length * STEP - (STEP - BAR),
    height: HEIGHT,
    bars,
  }
}
