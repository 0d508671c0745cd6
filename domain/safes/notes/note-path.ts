import { trimEndOf } from '../../../engine/graph/index.js'
import { normalForm } from '../../../platform/common/normal-form.js'

/** The folder of the notes written on pages. */
const FOLDER = 'Notes'
const MAX_LENGTH = 120

/**
 * The path of a note with this title, which is its file name: without characters not allowed in file names, or in links
 * to them. `count` is 1 for the first with the title.
 */
export function notePath(title: string, count = 1, folder = FOLDER): string {
  const clean = normalForm(title, 'NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\\/:*?"<>|#^[\]]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '')
  const name = trimEndOf([...clean].slice(0, MAX_LENGTH).join('').trim(), '.') || 'Note'
  return `${folder === '' ? '' : `${folder}/`}${name}${count === 1 ? '' : ` (${count})`}.md`
}
