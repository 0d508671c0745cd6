import exportPages from './exports.js'
import importPages from './imports.js'
import keptFolderPages from './kept-folders.js'
import memberRemovalPages from './member-removal.js'
import proposalPage from './proposal.js'
import proposalPages from './proposals.js'
import safeActivityPages from './safe-activity.js'
import safeFilesPage from './safe-files.js'
import safeRemovalPages from './safe-removal.js'
import safeSettingsPages from './safe-settings.js'
import safeSharePages from './safe-share.js'
import safePages from './safes.js'
import uploadPages from './upload-page.js'

/** Requires sign-in. */
export const SAFES_PAGES = [
  safePages,
  safeFilesPage,
  keptFolderPages,
  safeSharePages,
  memberRemovalPages,
  safeSettingsPages,
  safeRemovalPages,
  uploadPages,
  importPages,
  proposalPages,
  proposalPage,
  exportPages,
  safeActivityPages,
]
