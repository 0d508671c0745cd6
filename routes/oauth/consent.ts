import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.js'
import { DomainError } from '../../common/domain-error.js'
import { messages } from '../../messages.js'
import type { AuthorizationRequest } from '../../oauth/authorize/authorization-request.js'
import { type Choice, type OfferedScope, offeredScopes, unreadable } from '../../oauth/authorize/consent.js'
import { isDocumentId } from '../../oauth/clients/client.js'
import { publisherOf } from '../../oauth/clients/client-document.js'
import { isLoopback, redirectHost } from '../../oauth/clients/redirect-uri.js'
import { REFRESH_TOKEN_DAYS } from '../../oauth/lifetime.js'
import { safeIdOf } from '../../oauth/resource.js'
import { cut } from '../pages/paging.js'
import { acceptFormsOnly, formFields } from './form.js'
import { rejectOtherMethods } from './method-not-allowed.js'
import { useErrorPages } from './page-errors.js'

declare module '../../plugins/views.js' {
  interface Pages {
    consent: ConsentView
  }
}

/** The view model of `views/consent.eta` (RULES C7). */
export interface ConsentView {
  csrf: string
  /** The target of the form. */
  action: string
  clientName: string
  clientVerified: boolean
  /** How well the app is identified, as text. */
  clientStanding: string
  redirectHost: string
  /** A warning, or null for verified apps. */
  caution: string | null
  accountEmail: string
  switchAccountUrl: string
  requiredScopes: ScopeView[]
  optionalScopes: ScopeView[]
  /** The name of the pinned Safe, or null if the user can choose. */
  pinnedSafe: string | null
  /** The account has no Safes. */
  hasNoSafes: boolean
  safes: OfferedSafe[]
  hasChosen: boolean
  /** Show the Safes as a menu instead of radio buttons. */
  asMenu: boolean
  /** The page of the list that `safes` is, or null if `safes` is complete. */
  list: SafeList | null
  /** "Only this Safe" is ticked. */
  only: boolean
  /** How long the connection lasts. */
  lasts: string
  /** The error of the submitted choice. */
  error: string | undefined
}

type ScopeView = OfferedScope & { text: string }

interface OfferedSafe {
  id: string
  name: string
  chosen: boolean
}

/** A page of the Safes of an account that has many. */
interface SafeList {
  /** The search text. */
  search: string
  /** The id of the Safe before this page, or empty for the first page. */
  after: string
  /** The value of `after` for the next page, or null if this is the last page. */
  next: string | null
  /** The number of Safes on this page. */
  found: number
}

/** The page of the list to show. */
type ListPosition = Pick<SafeList, 'search' | 'after'>

/** The maximum number of radio buttons: without a search, and for search results. */
const MAX_BUTTONS = { unfiltered: 6, found: 20 }
/** The number of Safes on a page. */
const PAGE_SIZE = 100
const MAX_SEARCH_LENGTH = 100
const SAFE_ID = /^[0-9A-Za-z]{22}$/

const CONSENT_URL = '/oauth/consent/:id'

interface Params {
  id: string
}

/** The consent page: GET shows it, POST decides (RULES C1). It is shown for every authorization (C8). */
export default async function consentRoutes(app: FastifyInstance) {
  useErrorPages(app)
  await acceptFormsOnly(app)
  app.get<{ Params: Params }>(CONSENT_URL, show)
  app.post<{ Params: Params }>(CONSENT_URL, decide)
  rejectOtherMethods(app, CONSENT_URL, ['GET', 'HEAD', 'POST'])

  async function show(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
    const authorizationRequest = await app.oauth.authorization.find(request.params.id, request.browsers)
    reply.header('Cache-Control', 'no-store')
    if (!request.account) return reply.redirect(loginUrl(request.params.id), 303)
    return page(reply, authorizationRequest, request.account, null)
  }

  async function decide(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
    const { id } = request.params
    const { account } = request
    const { authorization } = app.oauth
    const authorizationRequest = await authorization.find(id, request.browsers)
    reply.header('Cache-Control', 'no-store')
    // Before the token, which belongs to the session that ended: signing in leads back to this page.
    if (!account) return reply.redirect(loginUrl(id), 303)
    request.checkCsrf(csrfScope(id))
    const { decision, list } = formFields(request)
    if (typeof list === 'string')
      return page(
        reply,
        authorizationRequest,
        account,
        choiceOf(request),
        undefined,
        positionOf(request, list),
      )
    if (decision === 'deny') return reply.redirect(await authorization.deny(authorizationRequest), 303)
    if (decision !== 'approve') throw new DomainError(400, 'no_decision', messages.consent.noDecision)
    const choice = choiceOf(request)
    try {
      return reply.redirect(await authorization.approve(authorizationRequest, account.id, choice), 303)
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'bad_choice') throw error
      return page(
        reply.code(error.status),
        authorizationRequest,
        account,
        choice,
        error.message,
        positionOf(request),
      )
    }
  }

  async function page(
    reply: FastifyReply,
    request: AuthorizationRequest,
    account: Account,
    choice: Choice | null,
    error?: string,
    position: ListPosition = FIRST_PAGE,
  ) {
    const { id } = reply.request.params as Params
    const { safes, list } = await offeredSafes(request, account.id, choice?.safeId ?? null, position)
    const scopes = offeredScopes(request.scope, choice?.scope).map(scope => {
      return { ...scope, text: messages.consent.scopes[scope.name] ?? scope.name }
    })
    const view: ConsentView = {
      csrf: reply.csrfToken(csrfScope(id)),
      action: `/oauth/consent/${id}`,
      clientName: request.clientName,
      clientVerified: request.clientVerified,
      clientStanding: standingOf(request),
      redirectHost: redirectHost(request.redirectUri),
      caution: warningFor(request),
      accountEmail: account.email,
      switchAccountUrl: `/logout?request=${id}`,
      requiredScopes: scopes.filter(({ required }) => required),
      optionalScopes: scopes.filter(({ required }) => !required),
      pinnedSafe: request.resource === 'user' ? null : (safes[0]?.name ?? ''),
      hasNoSafes: safes.length === 0 && list === null,
      safes,
      hasChosen: safes.some(({ chosen }) => chosen),
      asMenu: safes.length > (list?.search ? MAX_BUTTONS.found : MAX_BUTTONS.unfiltered),
      list,
      only: choice?.only ?? false,
      lasts: messages.consent.lasts(REFRESH_TOKEN_DAYS),
      error,
    }
    return reply.page('consent', view)
  }

  async function offeredSafes(
    request: AuthorizationRequest,
    accountId: string,
    chosenId: string | null,
    { search, after }: ListPosition,
  ): Promise<Pick<ConsentView, 'safes' | 'list'>> {
    const pinnedId = safeIdOf(request.resource)
    if (pinnedId !== null) {
      const pinned = await app.safes.membership(accountId, pinnedId)
      if (!pinned) throw unreadable()
      return { safes: [{ id: pinnedId, name: pinned.name, chosen: true }], list: null }
    }
    const part = { search, limit: PAGE_SIZE + 1, ...(after ? { after } : {}) }
    const { items, hasMore } = cut(await app.safes.readableBy(accountId, part), PAGE_SIZE)
    const safes = items.map(({ id, name }) => ({ id, name, chosen: id === chosenId }))
    const isAll = !hasMore && search === '' && after === ''
    if (isAll) return { safes, list: null }
    // A Safe chosen on another page of the list stays chosen.
    const elsewhere = chosenId !== null && !safes.some(({ chosen }) => chosen)
    const chosen = elsewhere ? await app.safes.membership(accountId, chosenId) : null
    if (chosen && chosenId) safes.unshift({ id: chosenId, name: chosen.name, chosen: true })
    const next = hasMore ? (items.at(-1)?.id ?? null) : null
    return { safes, list: { search, after, next, found: items.length } }
  }
}

function standingOf({ clientId, clientVerified }: AuthorizationRequest): string {
  const { verified, publishedBy, unverifiable, unverified } = messages.consent
  if (!isDocumentId(clientId)) return unverified
  return clientVerified ? `${verified} – ${publishedBy(publisherOf(clientId))}` : unverifiable
}

function warningFor({ clientVerified, redirectUri }: AuthorizationRequest): string | null {
  if (isLoopback(redirectUri)) return messages.consent.loopback
  return clientVerified ? null : messages.consent.unknownHost
}

const csrfScope = (id: string) => `consent:${id}`
const loginUrl = (id: string) => `/login?request=${id}`

/** Reads the submitted choice (DESIGN §5.11). */
function choiceOf(request: FastifyRequest): Choice {
  const { safe, only, scope } = formFields(request)
  return {
    safeId: typeof safe === 'string' && safe !== '' ? safe : null,
    only: only !== undefined && only !== '',
    scope: [scope ?? []].flat(),
  }
}

const FIRST_PAGE: ListPosition = { search: '', after: '' }

/** The page of the list that the form requests. By default, the page that was shown. */
function positionOf(request: FastifyRequest, after: unknown = formFields(request).after): ListPosition {
  const { search } = formFields(request)
  return {
    search: typeof search === 'string' ? search.trim().slice(0, MAX_SEARCH_LENGTH) : '',
    after: typeof after === 'string' && SAFE_ID.test(after) ? after : '',
  }
}
