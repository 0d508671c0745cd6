import type { FastifyInstance } from 'fastify'
import { acceptForms } from './accept-forms.js'
import accountPages from './account/account.js'
import accountRemovalPages from './account/account-removal.js'
import forgotPages from './account/forgot.js'
import passkeyPages from './account/passkeys.js'
import resetPages from './account/reset.js'
import signUpPages from './account/sign-up.js'
import connectionPage from './connections/connection.js'
import connectionPowers from './connections/connection-powers.js'
import connectionPages from './connections/connections.js'
import recentConnectionPages from './connections/recent-connections.js'
import revokeAllPages from './connections/revoke-all.js'
import continuePage from './continue.js'
import addPages from './documents/add.js'
import documentPages from './documents/document.js'
import documentsPages from './documents/documents.js'
import imagePages from './documents/image.js'
import notePages from './documents/notes.js'
import passagePage from './documents/passage.js'
import undoPages from './documents/undo.js'
import { countNotices } from './notices.js'
import peoplePages from './people/people.js'
import personRemovalPages from './people/person-removal.js'
import exportPages from './safes/exports.js'
import importPages from './safes/imports.js'
import memberRemovalPages from './safes/member-removal.js'
import proposalPage from './safes/proposal.js'
import proposalPages from './safes/proposals.js'
import safeActivityPages from './safes/safe-activity.js'
import safeFilesPage from './safes/safe-files.js'
import safeRemovalPages from './safes/safe-removal.js'
import safeSettingsPages from './safes/safe-settings.js'
import safeSharePages from './safes/safe-share.js'
import safePages from './safes/safes.js'
import uploadPages from './safes/upload-page.js'
import { onlySignedIn } from './signed-in.js'
import activityPages from './system/activity.js'
import backupPages from './system/backup.js'
import backupsPages from './system/backups.js'
import homePage from './system/home.js'
import startPages from './system/start.js'
import systemPage from './system/system.js'
import askPage from './things/ask.js'
import browsePages from './things/browse.js'
import duplicatePages from './things/duplicates.js'
import picturePage from './things/picture.js'
import removedPages from './things/removed.js'
import searchPage from './things/search.js'
import suggestRoute from './things/suggest.js'
import suggestEverythingRoute from './things/suggest-everything.js'
import thingPages from './things/thing.js'
import thingNamePages from './things/thing-names.js'

const PAGES = [
  safePages,
  searchPage,
  askPage,
  documentsPages,
  documentPages,
  imagePages,
  passagePage,
  notePages,
  addPages,
  undoPages,
  browsePages,
  thingPages,
  thingNamePages,
  removedPages,
  picturePage,
  suggestRoute,
  suggestEverythingRoute,
  safeFilesPage,
  safeSharePages,
  memberRemovalPages,
  safeSettingsPages,
  safeRemovalPages,
  uploadPages,
  importPages,
  proposalPages,
  proposalPage,
  duplicatePages,
  exportPages,
  connectionPages,
  connectionPage,
  connectionPowers,
  revokeAllPages,
  recentConnectionPages,
  activityPages,
  safeActivityPages,
  accountPages,
  accountRemovalPages,
  passkeyPages,
  peoplePages,
  personRemovalPages,
  systemPage,
  backupsPages,
  backupPages,
  continuePage,
]

/** All pages except login and consent. */
export default async function pageRoutes(app: FastifyInstance) {
  app.addHook('preHandler', countNotices)
  await app.register(async open => {
    await acceptForms(open)
    await open.register(signUpPages)
    await open.register(forgotPages)
    await open.register(resetPages)
    await open.register(homePage)
    await open.register(startPages)
  })
  await app.register(async signedIn => {
    // First: a form of a session that has ended has a token of that session, and is kept.
    signedIn.addHook('preValidation', onlySignedIn)
    await acceptForms(signedIn)
    for (const pages of PAGES) await signedIn.register(pages)
  })
}
