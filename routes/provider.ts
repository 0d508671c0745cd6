import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountErrors } from '../domain/accounts/errors.js'
import type { OpenIdIdentity } from '../domain/accounts/openid/identity.js'
import {
  type AfterSignIn,
  type ProviderSignIn,
  SIGN_IN_MINUTES,
  type SignedIn,
} from '../domain/accounts/openid/provider-sign-in.js'
import { DomainError } from '../platform/common/domain-error.js'
import { CALLBACK_PATH } from '../plugins/accounts.js'
import type { Page } from '../plugins/views.js'
import { accountTexts } from '../views/texts/account.js'
import { type LoginPage, loginPage, NextFields, nextPage } from './login-page.js'
import { TextField, type TypedApp } from './pages/params.js'

/** After the first sign-in at the provider to an account whose address had not been proven. */
interface AccountClaimedPage extends Page {
  email: string
  provider: string
  /** The page after the sign-in. */
  next: string
}

const BeginForm = Type.Object({
  ...NextFields,
  /** From the page of the invitation with the button. */
  token: Type.Optional(TextField(100)),
})

/** Sealed with the rest, it fits into the 4,096 bytes of a cookie (RFC 6265 §6.1). */
const MAX_NEXT_LENGTH = 3000

/** Signing in at an OpenID provider (ADR 64). What the sign-in needs is in a sealed cookie; nothing is stored. */
export default async function providerRoutes(app: TypedApp) {
  const signIn = app.providerSignIn
  if (!signIn) return
  app.post('/login/provider', { schema: { body: BeginForm } }, (request, reply) =>
    begin(signIn, request, request.body, reply),
  )
  app.get(CALLBACK_PATH, (request, reply) => complete(signIn, request, reply))
}

async function begin(signIn: ProviderSignIn, request: FastifyRequest, next: Begin, reply: FastifyReply) {
  try {
    const { url, state, sealed } = await signIn.begin(fitting(next), request.browser)
    const cookie = cookieOf(request.server, state)
    reply.setCookie(cookie.name, sealed, { ...cookie.options, maxAge: SIGN_IN_MINUTES * 60 })
    return reply.redirect(url, 303)
  } catch (error) {
    return showError(error, request, reply, next)
  }
}

/** Completes a sign-in returning from the provider. */
async function complete(signIn: ProviderSignIn, request: FastifyRequest, reply: FastifyReply) {
  const query = request.url.split('?').slice(1).join('?')
  const state = new URLSearchParams(query).get('state') ?? ''
  const cookie = cookieOf(request.server, state)
  const cookies = request.server.parseCookie(request.headers.cookie ?? '')
  const begun = signIn.open(cookies[cookie.name] ?? '', request.browsers)
  if (begun?.state !== state) return showError(accountErrors.signInExpired(), request, reply, {})
  reply.clearCookie(cookie.name, cookie.options)
  const { next } = begun
  try {
    const identity = await signIn.complete(begun, query, request.ip)
    if (next.token) return await join(next.token, identity, request, reply, signIn)
    const signedIn = await signIn.accountOf(identity, request.ip, request.knownAccountId)
    const { account, isClaimed } = signedIn
    // The session of this browser has also ended if the account was claimed.
    if (isClaimed || request.account?.id !== account.id) await reply.signIn(account)
    return goOn(reply, signIn, signedIn, nextPage(request, next))
  } catch (error) {
    return showError(error, request, reply, next)
  }
}

/** Accepts an invitation. */
async function join(
  token: string,
  identity: OpenIdIdentity,
  request: FastifyRequest,
  reply: FastifyReply,
  signIn: ProviderSignIn,
) {
  const { accounts, safes } = request.server
  const link = await accounts.invitations.find(token)
  if (!link) throw accountErrors.linkUsed()
  const signedIn = await signIn.accept(token, identity, request.ip, request.knownAccountId)
  const { account } = signedIn
  await reply.signIn(account)
  if (!link.safe) return goOn(reply, signIn, signedIn, '/')
  await safes.members.join(link.safe.id, token, account)
  return goOn(reply, signIn, signedIn, `/safes/${link.safe.id}`)
}

/** Redirects to a page, or, if the account was claimed, shows a note first. */
function goOn(reply: FastifyReply, signIn: ProviderSignIn, { account, isClaimed }: SignedIn, path: string) {
  if (!isClaimed) return reply.redirect(path, 303)
  return reply.page<AccountClaimedPage>('account-claimed', {
    email: account.email,
    provider: signIn.name,
    next: path,
  })
}

/** The cookie of one sign-in, so that sign-ins in several tabs do not interfere. */
function cookieOf({ config: { brand, baseUrl } }: FastifyInstance, state: string) {
  const secure = baseUrl.startsWith('https:')
  return {
    name: `${brand}_provider_${state.slice(0, 8)}`,
    options: { path: CALLBACK_PATH, httpOnly: true, sameSite: 'lax' as const, secure },
  }
}

type Begin = Static<typeof BeginForm>

/** Leaves out the ticked boxes of the consent page if they do not fit. @throws DomainError 414 */
function fitting({ request, form, token }: Begin): AfterSignIn {
  const length = (request ?? '').length + (token ?? '').length
  if (length > MAX_NEXT_LENGTH) throw new DomainError(414, 'too_long', accountTexts.login.tooLongForProvider)
  return { request, token, form: length + (form ?? '').length > MAX_NEXT_LENGTH ? undefined : form }
}

/** The sign-in page again with the error, or, from the page of an invitation, the error alone. */
function showError(error: unknown, request: FastifyRequest, reply: FastifyReply, next: AfterSignIn) {
  if (!(error instanceof DomainError) || next.token) throw error
  if (error.retryAfter) reply.header('Retry-After', error.retryAfter)
  return reply
    .code(error.status)
    .page<LoginPage>('login', { ...loginPage(request, next), error: error.message })
}
