import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '../../messages.js'
import type { Account } from '../../plugins/accounts/account.js'
import { DomainError } from '../../plugins/domain-error.js'
import type { AuthorizationRequest } from '../../plugins/oauth/authorization-request.js'
import { isDocumentId } from '../../plugins/oauth/client.js'
import { publisherOf } from '../../plugins/oauth/client-document.js'
import { type Choice, type OfferedScope, offeredScopes, unreadable } from '../../plugins/oauth/consent.js'
import { REFRESH_TOKEN_DAYS } from '../../plugins/oauth/lifetime.js'
import { isLoopback, redirectHost } from '../../plugins/oauth/redirect-uri.js'
import { safeIdOf } from '../../plugins/oauth/resource.js'
import { acceptFormsOnly, fieldsOf } from './form.js'
import { refuseOtherMethods } from './method-not-allowed.js'
import { answerErrorsWithPages } from './page-errors.js'

declare module '../../plugins/views.js' {
  interface Pages {
    consent: ConsentView
  }
}

/** What `views/consent.eta` shows (RULES C7). */
export interface ConsentView {
  csrf: string
  /** Where the form posts to. */
  action: string
  clientName: string
  clientVerified: boolean
  /** What is known of the app, in words. */
  clientStanding: string
  redirectHost: string
  /** What to think of before going on; null for apps that are verified. */
  caution: string | null
  accountEmail: string
  switchAccountUrl: string
  requiredScopes: ScopeView[]
  optionalScopes: ScopeView[]
  /** The connection is for this Safe and the user has no choice; null where there is one. */
  pinnedSafe: string | null
  safes: { id: string; name: string; chosen: boolean }[]
  hasChosen: boolean
  /** "Only this Safe" is ticked. */
  only: boolean
  /** When it ends. */
  lasts: string
  /** What was wrong with the choice just made. */
  error: string | undefined
}

type ScopeView = OfferedScope & { text: string }

const URL = '/oauth/consent/:id'

interface Params {
  id: string
}

/** The consent page: GET shows, POST decides (RULES C1). Asked every time (C8). */
export default async function consentRoutes(app: FastifyInstance) {
  answerErrorsWithPages(app)
  await acceptFormsOnly(app)
  app.get<{ Params: Params }>(URL, show)
  app.post<{ Params: Params }>(URL, decide)
  refuseOtherMethods(app, URL, ['GET', 'HEAD', 'POST'])

  async function show(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
    const asked = await app.oauth.authorization.find(request.params.id, request.browsers)
    reply.header('Cache-Control', 'no-store')
    if (!request.account) return reply.redirect(loginUrl(request.params.id), 303)
    return page(reply, asked, request.account, null)
  }

  async function decide(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
    const { id } = request.params
    const { account } = request
    const { authorization } = app.oauth
    const asked = await authorization.find(id, request.browsers)
    request.checkCsrf(csrfScope(id))
    reply.header('Cache-Control', 'no-store')
    if (!account) return reply.redirect(loginUrl(id), 303)
    const { decision } = fieldsOf(request)
    if (decision === 'deny') return reply.redirect(await authorization.deny(asked), 303)
    if (decision !== 'approve') throw new DomainError(400, 'no_decision', messages.consent.noDecision)
    const choice = choiceOf(request)
    try {
      return reply.redirect(await authorization.approve(asked, account.id, choice), 303)
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'bad_choice') throw error
      return page(reply.code(error.status), asked, account, choice, error.message)
    }
  }

  async function page(
    reply: FastifyReply,
    asked: AuthorizationRequest,
    account: Account,
    choice: Choice | null,
    error?: string,
  ) {
    const { id } = reply.request.params as Params
    const safes = await offeredSafes(asked, account.id, choice?.safeId ?? null)
    const scopes = offeredScopes(asked.scope).map(scope => {
      return { ...scope, text: messages.consent.scopes[scope.name] ?? scope.name }
    })
    const view: ConsentView = {
      csrf: reply.csrfToken(csrfScope(id)),
      action: `/oauth/consent/${id}`,
      clientName: asked.clientName,
      clientVerified: asked.clientVerified,
      clientStanding: standingOf(asked),
      redirectHost: redirectHost(asked.redirectUri),
      caution: cautionFor(asked),
      accountEmail: account.email,
      switchAccountUrl: `/logout?request=${id}`,
      requiredScopes: scopes.filter(({ required }) => required),
      optionalScopes: scopes.filter(({ required }) => !required),
      pinnedSafe: asked.resource === 'user' ? null : (safes[0]?.name ?? ''),
      safes,
      hasChosen: safes.some(({ chosen }) => chosen),
      only: choice?.only ?? false,
      lasts: messages.consent.lasts(REFRESH_TOKEN_DAYS),
      error,
    }
    return reply.page('consent', view)
  }

  async function offeredSafes(asked: AuthorizationRequest, accountId: string, chosenId: string | null) {
    const pinnedId = safeIdOf(asked.resource)
    if (pinnedId === null) {
      const safes = await app.safes.readableBy(accountId)
      return safes.map(({ id, name }) => ({ id, name, chosen: id === chosenId }))
    }
    const pinned = await app.safes.membership(accountId, pinnedId)
    if (!pinned) throw unreadable()
    return [{ id: pinnedId, name: pinned.name, chosen: true }]
  }
}

function standingOf({ clientId, clientVerified }: AuthorizationRequest): string {
  const { verified, publishedBy, unverifiable, unverified } = messages.consent
  if (!isDocumentId(clientId)) return unverified
  return clientVerified ? `${verified} – ${publishedBy(publisherOf(clientId))}` : unverifiable
}

function cautionFor({ clientVerified, redirectUri }: AuthorizationRequest): string | null {
  if (isLoopback(redirectUri)) return messages.consent.loopback
  return clientVerified ? null : messages.consent.unknownHost
}

const csrfScope = (id: string) => `consent:${id}`
const loginUrl = (id: string) => `/login?request=${id}`

/** The form as it was sent (DESIGN §5.11). */
function choiceOf(request: FastifyRequest): Choice {
  const { safe, only, scope } = fieldsOf(request)
  return {
    safeId: typeof safe === 'string' && safe !== '' ? safe : null,
    only: only !== undefined && only !== '',
    scope: [scope ?? []].flat(),
  }
}
