import { normalForm } from '../../../platform/common/normal-form.js'

const EXTENSION = /\.[a-z0-9]{1,8}$/i

/** A document's path without folders and extension: `notes/Plan B.md` is "Plan B". */
export const baseTitle = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(EXTENSION, '')

/** The key of a document in `[[links]]`: without folders and extension, in lower case, composed. */
export const nameKey = (path: string): string => normalForm(baseTitle(path), 'NFC').toLowerCase()
