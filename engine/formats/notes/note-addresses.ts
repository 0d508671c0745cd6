import { trimEndOf } from '../../graph/index.js'
import { isName } from './note-properties.js'

/** Addresses of one note, and characters of one. */
const MOST = 20
const LONGEST = 300

/** Properties that websites take the address of a page from. */
const ADDRESS = /^(?:id|slug|permalink|redirect_from|url)$/i
const WEB = /^[a-z][a-z0-9+.-]*:/i
/** What orders the files of a folder and is no part of an address: `01-start.md`, `2.guide/`, but no date and no version. */
const NUMBER = /(^|\/)\d{1,3}[._-](?=\p{L})/gu
/** The time at which a note was begun, by which notes in a slip box name each other: `202401311030 Lamps.md`. */
const TIME = /^(?:\d{8}|\d{12}|\d{14})(?=[ _-]\D)/
const OWN_PAGE = /(?:^|\/)_?(?:index|readme)$/i

/** The addresses that a property of a note gives it, by which links may name it instead of its file. */
export function addressesIn(key: string, values: readonly string[]): string[] {
  if (!ADDRESS.test(key.trim()) && !isName(key)) return []
  return values
    .slice(0, MOST)
    .filter(value => value.length <= LONGEST)
    .map(value => trimEndOf(value.trim().replace(/(?:(?:^|\/)index)?\.html?$/, ''), '/'))
    .filter(value => value !== '' && !WEB.test(value) && !/[:{}[\]\n]/.test(value))
}

/** The addresses that follow from the path of a note: without the numbers that order it, and its time. */
export function addressesOfPath(path: string): string[] {
  const end = path.replace(/\.[a-z]{1,8}$/i, '')
  const plain = end.replace(NUMBER, '$1')
  const [time] = TIME.exec(end.slice(end.lastIndexOf('/') + 1)) ?? []
  const ordered = plain === end ? [] : [`/${plain.replace(OWN_PAGE, '')}`]
  return [...ordered, ...(time === undefined ? [] : [time])].filter(each => /[^/]/.test(each))
}
