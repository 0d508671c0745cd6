import type { FastifyInstance } from 'fastify'
import accountPages from './account.js'
import connectionPages from './connections.js'
import continuePage from './continue.js'
import exportPages from './exports.js'
import { acceptForms } from './forms.js'
import homePage from './home.js'
import importPages from './imports.js'
import peoplePages from './people.js'
import safeFilesPage from './safe-files.js'
import safeRemovalPages from './safe-removal.js'
import safePages from './safes.js'
import signUpPages from './sign-up.js'
import { onlySignedIn } from './signed-in.js'

/** All pages except login and consent. */
export default async function pageRoutes(app: FastifyInstance) {
  await app.register(async open => {
    await acceptForms(open)
    await open.register(signUpPages)
    await open.register(homePage)
  })
  await app.register(async signedIn => {
    // First: a form of a session that has ended has a token of that session, and is kept.
    signedIn.addHook('preValidation', onlySignedIn)
    await acceptForms(signedIn)
    for (const pages of [
      safePages,
      safeFilesPage,
      safeRemovalPages,
      importPages,
      exportPages,
      connectionPages,
      accountPages,
      peoplePages,
      continuePage,
    ]) {
      await signedIn.register(pages)
    }
  })
}
