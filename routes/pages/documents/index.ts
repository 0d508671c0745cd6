import addPages from './add.js'
import documentPages from './document.js'
import documentsPages from './documents.js'
import imagePages from './image.js'
import notePages from './notes.js'
import passagePage from './passage.js'
import undoPages from './undo.js'
import versionPages from './versions.js'

/** Requires sign-in. */
export const DOCUMENTS_PAGES = [
  documentsPages,
  documentPages,
  imagePages,
  passagePage,
  notePages,
  addPages,
  undoPages,
  versionPages,
]
