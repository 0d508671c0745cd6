import type { FilterChoices } from '../../../domain/activity/activity.js'
import { ACTIVITY_KINDS } from '../../../domain/activity/entry.js'
import { activityTexts } from '../../../views/texts/activity.js'

/** An option of a filter. */
export interface FilterOption {
  value: string
  label: string
  isChosen: boolean
  /** The name of the group that begins with it. */
  group?: string
}

/** The kinds to choose from. */
export function kindChoices(chosen: string): FilterOption[] {
  const all = { value: '', label: activityTexts.allKinds, isChosen: chosen === '' }
  const kinds = ACTIVITY_KINDS.map(kind => ({
    value: kind,
    label: activityTexts.kinds[kind],
    isChosen: kind === chosen,
    group: activityTexts.groups[kind],
  }))
  return [all, ...kinds]
}

/** The assistants or Safes to choose from. One that was chosen is offered even if it is not among the latest. */
export function choicesFrom(
  items: FilterChoices['assistants' | 'safes'],
  chosen: string,
  all: string,
): FilterOption[] {
  const missing = chosen !== '' && !items.some(({ id }) => id === chosen)
  return [
    { value: '', label: all, isChosen: chosen === '' },
    ...items.map(({ id, name }) => ({ value: id, label: name, isChosen: id === chosen })),
    ...(missing ? [{ value: chosen, label: activityTexts.chosen, isChosen: true }] : []),
  ]
}
