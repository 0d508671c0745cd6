import type { FastifyInstance, FastifyRequest } from 'fastify'
import { acceptForms } from './accept-forms.js'
import forgotPages from './account/forgot.js'
import { ACCOUNT_PAGES } from './account/index.js'
import resetPages from './account/reset.js'
import signUpPages from './account/sign-up.js'
import { CONNECTIONS_PAGES } from './connections/index.js'
import continuePage from './continue.js'
import { DOCUMENTS_PAGES } from './documents/index.js'
import { PEOPLE_PAGES } from './people/index.js'
import { SAFES_PAGES } from './safes/index.js'
import sentFiles from './safes/sent-files.js'
import { onlySignedIn } from './signed-in.js'
import homePage from './system/home.js'
import { SYSTEM_PAGES } from './system/index.js'
import startPages from './system/start.js'
import { THINGS_PAGES } from './things/index.js'

const PAGES = [
  ...SAFES_PAGES,
  ...DOCUMENTS_PAGES,
  ...THINGS_PAGES,
  ...CONNECTIONS_PAGES,
  ...PEOPLE_PAGES,
  ...ACCOUNT_PAGES,
  ...SYSTEM_PAGES,
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
  await app.register(sentFiles)
  await app.register(async signedIn => {
    // First: a form of a session that has ended has a token of that session, and is kept.
    signedIn.addHook('preValidation', onlySignedIn)
    await acceptForms(signedIn)
    for (const pages of PAGES) await signedIn.register(pages)
  })
}

/** Hook: counts the notices that the account has not seen, for the navigation. One indexed read. */
async function countNotices(request: FastifyRequest) {
  if (request.account) request.notices = await request.server.activity.unseen(request.account.id)
}
