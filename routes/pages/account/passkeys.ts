import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { showAccount } from './account-page.js'
import { browserName } from './browser-name.js'
import { confirm } from './confirm.js'

/** The options for creating a passkey, or the error. */
interface PasskeyOffer {
  options?: string
  error?: string
}

const Confirm = { body: Type.Object({ password: Type.Optional(Type.String()) }) }
const Add = { body: Type.Object({ name: TextField(), credential: Type.String() }) }
/** Ids of credentials have up to 1,023 bytes (WebAuthn §4). */
const OfPasskey = { params: Type.Object({ passkeyId: Type.String({ pattern: '^[\\w-]{1,1364}$' }) }) }
const Rename = { ...OfPasskey, body: Type.Object({ name: TextField() }) }

/** The passkeys of the signed-in user's account, if browsers allow passkeys (ADR 64). */
export default async function passkeyPages(app: TypedApp) {
  if (!app.passkeys) return
  const form = { load: accountOf, show: showAccount }
  const ofPasskey = '/account/passkeys/:passkeyId'

  app.post(
    '/account/passkeys/new',
    { schema: Confirm },
    formPage({ load: accountOf, change: offer, show: showOffer }),
  )
  app.post('/account/passkeys', { schema: Add }, formPage({ ...form, change: add }))
  app.post(`${ofPasskey}/rename`, { schema: Rename }, formPage({ ...form, change: rename }))
  app.post(`${ofPasskey}/remove`, { schema: OfPasskey }, formPage({ ...form, change: remove }))
  app.post('/account/password/remove', { schema: Confirm }, formPage({ ...form, change: removePassword }))
}

/** Only the owner of the account gets a challenge, so that no authenticator stores a passkey that is refused. */
async function offer(request: RequestOf<typeof Confirm>, account: Account): Promise<PasskeyOffer> {
  await confirm(request, request.body.password)
  return { options: JSON.stringify(await passkeysOf(request).creationOptions(account, request.browser)) }
}

async function showOffer(
  request: FastifyRequest,
  account: Account,
  reply: FastifyReply,
  { options, error }: PasskeyOffer,
) {
  if (options === undefined) return showAccount(request, account, reply, error ? { error } : {})
  return reply.page('passkey-new', {
    here: 'account',
    options,
    suggestedName: browserName(request.headers['user-agent'] ?? null) ?? '',
  })
}

async function add(request: RequestOf<typeof Add>, { id }: Account) {
  const { name, credential } = request.body
  await passkeysOf(request).add(id, name, credential, request.browsers)
  return '/account'
}

async function rename(request: RequestOf<typeof Rename>, { id }: Account) {
  await passkeysOf(request).rename(id, request.params.passkeyId, request.body.name)
  return '/account'
}

async function remove(request: RequestOf<typeof OfPasskey>, { id }: Account) {
  await passkeysOf(request).remove(id, request.params.passkeyId)
  return '/account'
}

async function removePassword(request: RequestOf<typeof Confirm>, { id }: Account) {
  await confirm(request, request.body.password)
  await passkeysOf(request).removePassword(id)
  return '/account'
}

/** @throws notFound if browsers do not allow passkeys */
export function passkeysOf({ server: { passkeys } }: FastifyRequest) {
  if (!passkeys) throw notFound('page')
  return passkeys
}
