import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'

/** Describes a setting to its user; `expected` completes the sentence "NAME should be …". */
interface SettingHelp {
  description: string
  expected: string
  /** Never shown; its value may come from the file that `NAME_FILE` names. */
  secret?: true
}

/** The schema of a setting with any text; the reader of its topic validates it. */
export const text = (help: SettingHelp, defaultValue = '') => Type.String({ default: defaultValue, ...help })

/** The items of a setting that is a list, separated by commas. */
export const list = (value: string) =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)

/** The values of the settings of a topic. */
export type ValuesOf<Topic extends TProperties> = Static<TObject<Topic>>

/** Refuses the value of a setting unless it is valid; `reason` is a sentence that follows the expected value. */
export type Check<Topic extends TProperties> = (name: keyof Topic, isValid: boolean, reason?: string) => void
