import { NOTE_LIMITS } from '../../../domain/safes/notes/notes.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { Page } from '../../../plugins/views.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { pathWith } from '../list.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'

/** The current or entered values of a form. */
export interface NoteFields {
  title: string
  text: string
  /** The source of the text. */
  url?: string
}

/** The form of a note, in `views/note.eta`. */
export interface NotePage extends Page {
  /** Null: the form is for any Safe, chosen in it. */
  head: SafeHead | null
  heading: string
  action: string
  entered: NoteFields
  hidden: { name: string; value: string }[]
  /** Safes to choose from. */
  safes: { id: string; name: string; isChosen: boolean }[]
  limits: typeof NOTE_LIMITS
  submit: string
  cancel: string
  /** The address of a bookmark that opens this form with the current page. */
  bookmarklet?: string
}

/** A note being written: a new one, or an existing one. */
export function notePage(
  safe: ReadableSafe,
  entered: NoteFields,
  existing: { path: string; version: string; cancel: string } | null,
): Omit<NotePage, 'error'> {
  const m = documentsTexts.note
  const head = safeHead(safe, 'documents', false)
  const { path = '', version = '' } = existing ?? {}
  return {
    here: 'safes',
    head,
    heading: existing ? m.edit : m.new,
    action: `${head.path}/notes/${existing ? 'edit' : 'new'}`,
    entered,
    hidden: existing ? Object.entries({ path, version }).map(([name, value]) => ({ name, value })) : [],
    safes: [],
    limits: NOTE_LIMITS,
    submit: m.save,
    cancel: existing?.cancel ?? `${head.path}/documents`,
  }
}

/** Owners' actions on a note. */
interface NoteActions {
  edit: string
  remove: { action: string; path: string }
}

/** The addresses to edit and remove a note. `safePath` is the address of its Safe. */
export const noteActions = (safePath: string, path: string): NoteActions => ({
  edit: pathWith(`${safePath}/notes/edit`, { path }),
  remove: { action: `${safePath}/notes/remove`, path },
})
