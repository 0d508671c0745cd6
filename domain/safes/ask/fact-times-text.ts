import { type FactTimes, periodEnds, periodOf } from '../../../engine/graph/index.js'

/** The dates of a fact in an answer; `superseded`: replaced by a newer fact (ADR 55). */
export interface ShownTimes {
  valid_from?: string
  valid_to?: string
  learned_on?: string
  superseded?: true
}

/** "2019 – 2021-05, learned 2024-01-03"; empty when there are no dates. */
export function factTimesText({ valid_from, valid_to, learned_on, superseded }: ShownTimes): string {
  const [from, to] = [valid_from, valid_to]
  const open = from ? `since ${from}` : to && `until ${to}`
  const period = from === to ? from : from && to ? `${from} \u2013 ${to}` : open
  const learned = learned_on && `learned ${learned_on}`
  return [period, superseded && 'superseded', learned].filter(Boolean).join(', ')
}

/** The dates of a fact: its period, and the newest day on which it was learned. */
export function shownTimes(period: string, rows: readonly (FactTimes | undefined)[]): ShownTimes {
  const { from, to, isSuperseded } = periodEnds(period)
  const days = rows.flatMap(row => row?.learnedOn ?? [])
  const [learned] = days.toSorted((a, b) => periodOf(b).from - periodOf(a).from)
  return {
    ...(from === '' ? {} : { valid_from: from }),
    ...(to === '' ? {} : { valid_to: to }),
    ...(learned === undefined ? {} : { learned_on: learned }),
    ...(isSuperseded ? { superseded: true } : {}),
  }
}
