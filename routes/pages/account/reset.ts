import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathAfterReset } from '../connections/recent-connections.js'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { findLink } from './invitation-link.js'

const Show = { querystring: Type.Object({ token: Type.Optional(TextField()) }) }
const Reset = { body: Type.Object({ token: TextField(), password: Type.String() }) }

type ResetRequest = RequestOf<typeof Reset>

/** The page behind the one-time link for a new password. */
export default async function resetPages(app: TypedApp) {
  app.get('/reset', { schema: Show }, openLink)
  app.post(
    '/reset',
    { schema: Reset },
    formPage({ load: ({ body }: ResetRequest) => body.token, change: reset, show: showReset }),
  )
}

async function openLink({ server, query: { token = '' } }: RequestOf<typeof Show>, reply: FastifyReply) {
  await findLink(server, 'reset', token)
  return reply.page('reset', { token })
}

async function reset({ server, body }: ResetRequest, token: string, reply: FastifyReply) {
  const account = await server.accounts.passwords.reset(token, body.password)
  await reply.signIn(account)
  return pathAfterReset(server, account.id)
}

async function showReset(
  _request: FastifyRequest,
  token: string,
  reply: FastifyReply,
  { error }: { error?: string },
) {
  return reply.page('reset', { token, error })
}
