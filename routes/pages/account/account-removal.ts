import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import { formPage } from '../form-page.js'
import type { RequestOf, TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { confirm } from './confirm.js'
import { removalOf } from './removal.js'

/** Without a password, a recent sign-in confirms. */
const Remove = { body: Type.Object({ password: Type.Optional(Type.String()) }) }

/** Deleting the signed-in user's account, after a confirmation page. */
export default async function accountRemovalPages(app: TypedApp) {
  app.get('/account/delete', (request, reply) => showRemoval(request, accountOf(request), reply, {}))
  app.post(
    '/account/delete',
    { schema: Remove },
    formPage({ load: accountOf, change: remove, show: showRemoval }),
  )
}

async function remove(request: RequestOf<typeof Remove>, { id }: Account, reply: FastifyReply) {
  await confirm(request, request.body.password)
  await request.server.accounts.remove(id)
  await reply.signOut()
  return '/login'
}

async function showRemoval(
  { server }: FastifyRequest,
  { id }: Account,
  reply: FastifyReply,
  { error }: { error?: string },
) {
  const isLastAdmin = await server.accounts.records.isLastAdmin(id)
  return reply.page('account-delete', {
    here: 'account',
    isLastAdmin,
    hasPassword: await server.accounts.passwords.has(id),
    removal: await removalOf(server, id),
    error: isLastAdmin ? undefined : error,
  })
}
