import type { FastifyInstance } from 'fastify'
import accountPages from './account.js'
import activityPages from './activity.js'
import askPage from './ask.js'
import browsePages from './browse.js'
import connectionPages from './connections.js'
import continuePage from './continue.js'
import duplicatePages from './duplicates.js'
import exportPages from './exports.js'
import forgotPages from './forgot.js'
import { acceptForms } from './forms.js'
import homePage from './home.js'
import importPages from './imports.js'
import { countNotices } from './notices.js'
import passkeyPages from './passkeys.js'
import peoplePages from './people.js'
import picturePage from './picture.js'
import proposalPages from './proposals.js'
import recentConnectionPages from './recent-connections.js'
import safeFilesPage from './safe-files.js'
import safeRemovalPages from './safe-removal.js'
import safeSettingsPages from './safe-settings.js'
import safeSharePages from './safe-share.js'
import safePages from './safes.js'
import searchPage from './search.js'
import signUpPages from './sign-up.js'
import { onlySignedIn } from './signed-in.js'
import suggestRoute from './suggest.js'
import systemPage from './system.js'
import thingPages from './thing.js'
import thingNamePages from './thing-names.js'

const PAGES = [
  safePages,
  searchPage,
  askPage,
  browsePages,
  thingPages,
  thingNamePages,
  picturePage,
  suggestRoute,
  safeFilesPage,
  safeSharePages,
  safeSettingsPages,
  safeRemovalPages,
  importPages,
  proposalPages,
  duplicatePages,
  exportPages,
  connectionPages,
  recentConnectionPages,
  activityPages,
  accountPages,
  passkeyPages,
  peoplePages,
  systemPage,
  continuePage,
]

/** All pages except login and consent. */
export default async function pageRoutes(app: FastifyInstance) {
  app.addHook('preHandler', countNotices)
  await app.register(async open => {
    await acceptForms(open)
    await open.register(signUpPages)
    await open.register(forgotPages)
    await open.register(homePage)
  })
  await app.register(async signedIn => {
    // First: a form of a session that has ended has a token of that session, and is kept.
    signedIn.addHook('preValidation', onlySignedIn)
    await acceptForms(signedIn)
    for (const pages of PAGES) await signedIn.register(pages)
  })
}
