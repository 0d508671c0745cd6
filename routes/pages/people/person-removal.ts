import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import { peopleTexts } from '../../../views/texts/people.js'
import { removalOf } from '../account/removal.js'
import { formPage } from '../form-page.js'
import type { TypedApp } from '../params.js'
import { onlyAdmins } from '../signed-in.js'
import { OfPerson, type PersonRequest, personOf } from './person.js'

/** Removing an account, after a confirmation page, for administrators. */
export default async function personRemovalPages(app: TypedApp) {
  app.addHook('preValidation', onlyAdmins)

  app.get('/people/:accountId/remove', { schema: OfPerson }, async (request, reply) =>
    showRemoval(request, await personOf(request), reply, {}),
  )
  app.post(
    '/people/:accountId/remove',
    { schema: OfPerson },
    formPage({ load: personOf, change: remove, show: showRemoval }),
  )
}

async function remove({ server }: PersonRequest, { id }: Account) {
  await server.accounts.remove(id)
  return '/people'
}

async function showRemoval(
  { server }: FastifyRequest,
  { id, email }: Account,
  reply: FastifyReply,
  { error }: { error?: string },
) {
  return reply.page('person-remove', {
    here: 'people',
    title: peopleTexts.removeTitle(email),
    action: `/people/${id}/remove`,
    removal: await removalOf(server, id),
    error,
  })
}
