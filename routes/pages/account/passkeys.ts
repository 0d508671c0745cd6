import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserName } from '../../../accounts/browser-name.js'
import type { Page } from '../../../plugins/views.js'
import { TextField } from '../params.js'
import { accountOf } from '../signed-in.js'
import { refusalOf, showAccount } from './account-page.js'
import { confirm } from './confirm.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'passkey-new': NewPasskeyPage
  }
}

interface NewPasskeyPage extends Page {
  /** For `navigator.credentials.create()`, as JSON. */
  options: string
  suggestedName: string
}

const ConfirmForm = Type.Object({ password: Type.Optional(Type.String()) })
const AddForm = Type.Object({ name: TextField(), credential: Type.String() })
const RenameForm = Type.Object({ name: TextField() })
/** Ids of credentials have up to 1,023 bytes (WebAuthn §4). */
const PasskeyParams = Type.Object({ passkeyId: Type.String({ pattern: '^[\\w-]{1,1364}$' }) })

/** The passkeys of the signed-in user's account (ADR 65). */
export default async function passkeyPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const { passkeys } = app
  if (!passkeys) return

  /** Only who owns the account gets a challenge, so that no authenticator keeps a passkey that is refused. */
  app.post('/account/passkeys/new', { schema: { body: ConfirmForm } }, async (request, reply) => {
    const account = accountOf(request)
    try {
      await confirm(request, request.body.password)
    } catch (error) {
      return showAccount(request, reply, { error: refusalOf(error, reply) })
    }
    return reply.page('passkey-new', {
      here: 'account',
      options: JSON.stringify(await passkeys.creationOptions(account, request.browser)),
      suggestedName: browserName(request.headers['user-agent'] ?? null) ?? '',
    })
  })

  app.post('/account/passkeys', { schema: { body: AddForm } }, async (request, reply) => {
    const { name, credential } = request.body
    return changed(request, reply, () =>
      passkeys.add(accountOf(request).id, name, credential, request.browsers),
    )
  })

  app.post(
    '/account/passkeys/:passkeyId/rename',
    { schema: { params: PasskeyParams, body: RenameForm } },
    async (request, reply) =>
      changed(request, reply, () =>
        passkeys.rename(accountOf(request).id, request.params.passkeyId, request.body.name),
      ),
  )

  app.post(
    '/account/passkeys/:passkeyId/remove',
    { schema: { params: PasskeyParams } },
    async (request, reply) =>
      changed(request, reply, () => passkeys.remove(accountOf(request).id, request.params.passkeyId)),
  )

  app.post('/account/password/remove', { schema: { body: ConfirmForm } }, async (request, reply) =>
    changed(request, reply, async () => {
      await confirm(request, request.body.password)
      await passkeys.removePassword(accountOf(request).id)
    }),
  )

  /** Shows the account as it is then, or with the error. */
  async function changed(request: FastifyRequest, reply: FastifyReply, change: () => Promise<void>) {
    try {
      await change()
    } catch (error) {
      return showAccount(request, reply, { error: refusalOf(error, reply) })
    }
    return reply.redirect('/account', 303)
  }
}
