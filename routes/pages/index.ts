import type { FastifyInstance } from 'fastify'
import { acceptForms } from './forms.js'
import homePage from './home.js'
import signUpPages from './sign-up.js'

/** The pages people open, except login and consent. */
export default async function pageRoutes(app: FastifyInstance) {
  await acceptForms(app)
  await app.register(signUpPages)
  await app.register(homePage)
}
