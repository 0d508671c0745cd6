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
  /** There is nothing to choose from. */
  hasNoSafes: boolean
  safes: OfferedSafe[]
  hasChosen: boolean
  /** The Safes are shown as one menu and not as a row of buttons. */
  asMenu: boolean
  /** Which Safes `safes` is; null: all there are. */
  list: SafeList | null
  /** "Only this Safe" is ticked. */
  only: boolean
  /** When it ends. */
  lasts: string
  /** What was wrong with the choice just made. */
  error: string | undefined
}

type ScopeView = OfferedScope & { text: string }

interface OfferedSafe {
  id: string
  name: string
  chosen: boolean
}

/** A page of the Safes of somebody who has many. */
interface SafeList {
  /** Letters that their names have. */
  search: string
  /** The Safe that this page of the list follows; empty: it is the first one. */
  after: string
  /** The Safe that the next page follows; null: there is no further one. */
  next: string | null
  /** Safes of this page. */
  found: number
}

/** Which page of the list is to be shown. */
type Place = Pick<SafeList, 'search' | 'after'>

/** Safes that are shown as radio buttons: of those that were not searched for, and of those that were found. */
const MOST_BUTTONS = { unasked: 6, found: 20 }
/** Safes offered at once. */
const SAFES_OFFERED = 100
const LONGEST_SEARCH = 100
const SAFE_ID = /^[0-9A-Za-z]{22}$/

const CONSENT_URL = '/oauth/consent/:id'

interface Params {
  id: string
}

/** The consent page: GET shows, POST decides (RULES C1). Asked every time (C8). */
export default async function consentRoutes(app: FastifyInstance) {
  useErrorPages(app)
  await acceptFormsOnly(app)
  app.get<{ Params: Params }>(CONSENT_URL, show)
  app.post<{ Params: Params }>(CONSENT_URL, decide)
  rejectOtherMethods(app, CONSENT_URL, ['GET', 'HEAD', 'POST'])

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
    const { decision, list } = formFields(request)
    if (typeof list === 'string')
      return page(reply, asked, account, choiceOf(request), undefined, placeOf(request, list))
    if (decision === 'deny') return reply.redirect(await authorization.deny(asked), 303)
    if (decision !== 'approve') throw new DomainError(400, 'no_decision', messages.consent.noDecision)
    const choice = choiceOf(request)
    try {
      return reply.redirect(await authorization.approve(asked, account.id, choice), 303)
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'bad_choice') throw error
      return page(reply.code(error.status), asked, account, choice, error.message, placeOf(request))
    }
  }

  async function page(
    reply: FastifyReply,
    asked: AuthorizationRequest,
    account: Account,
    choice: Choice | null,
    error?: string,
    place: Place = FIRST,
  ) {
    const { id } = reply.request.params as Params
    const { safes, list } = await offeredSafes(asked, account.id, choice?.safeId ?? null, place)
    const scopes = offeredScopes(asked.scope, choice?.scope).map(scope => {
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
      hasNoSafes: safes.length === 0 && list === null,
      safes,
      hasChosen: safes.some(({ chosen }) => chosen),
      asMenu: safes.length > (list?.search ? MOST_BUTTONS.found : MOST_BUTTONS.unasked),
      list,
      only: choice?.only ?? false,
      lasts: messages.consent.lasts(REFRESH_TOKEN_DAYS),
      error,
    }
    return reply.page('consent', view)
  }

  async function offeredSafes(
    asked: AuthorizationRequest,
    accountId: string,
    chosenId: string | null,
    { search, after }: Place,
  ): Promise<Pick<ConsentView, 'safes' | 'list'>> {
    const pinnedId = safeIdOf(asked.resource)
    if (pinnedId !== null) {
      const pinned = await app.safes.membership(accountId, pinnedId)
      if (!pinned) throw unreadable()
      return { safes: [{ id: pinnedId, name: pinned.name, chosen: true }], list: null }
    }
    const part = { search, limit: SAFES_OFFERED + 1, ...(after ? { after } : {}) }
    const { items, hasMore } = cut(await app.safes.readableBy(accountId, part), SAFES_OFFERED)
    const safes = items.map(({ id, name }) => ({ id, name, chosen: id === chosenId }))
    const isAll = !hasMore && search === '' && after === ''
    if (isAll) return { safes, list: null }
    // What was chosen on another page of the list stays chosen.
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

function cautionFor({ clientVerified, redirectUri }: AuthorizationRequest): string | null {
  if (isLoopback(redirectUri)) return messages.consent.loopback
  return clientVerified ? null : messages.consent.unknownHost
}

const csrfScope = (id: string) => `consent:${id}`
const loginUrl = (id: string) => `/login?request=${id}`

/** The form as it was sent (DESIGN §5.11). */
function choiceOf(request: FastifyRequest): Choice {
  const { safe, only, scope } = formFields(request)
  return {
    safeId: typeof safe === 'string' && safe !== '' ? safe : null,
    only: only !== undefined && only !== '',
    scope: [scope ?? []].flat(),
  }
}

const FIRST: Place = { search: '', after: '' }

/** The list as the form names it: what follows the Safe `after`, or else the page that was shown. */
function placeOf(request: FastifyRequest, after: unknown = formFields(request).after): Place {
  const { search } = formFields(request)
  return {
    search: typeof search === 'string' ? search.trim().slice(0, LONGEST_SEARCH) : '',
    after: typeof after === 'string' && SAFE_ID.test(after) ? after : '',
  }
}
