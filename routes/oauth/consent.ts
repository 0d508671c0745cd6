import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.js'
import { DomainError } from '../../common/domain-error.js'
import { messages } from '../../messages.js'
import type { AuthorizationRequest } from '../../oauth/authorize/authorization-request.js'
import { unreadable } from '../../oauth/authorize/consent.js'
import { isDocumentId } from '../../oauth/clients/client.js'
import { publisherOf } from '../../oauth/clients/client-document.js'
import { isLoopback, opensApp, redirectHost } from '../../oauth/clients/redirect-uri.js'
import { safeIdOf } from '../../oauth/connections/access.js'
import { type Choice, type OfferedScope, offeredScopes } from '../../oauth/connections/choice.js'
import { REFRESH_TOKEN_DAYS } from '../../oauth/lifetime.js'
import type { Parameters } from '../../oauth/parameters.js'
import { WRITE } from '../../oauth/scope.js'
import { wantsPage } from '../../plugins/errors.js'
import { describeScope } from '../describe-scope.js'
import {
  chosenIn,
  offerSafes,
  positionIn,
  type SafeChoice,
  tooManyChosen,
} from '../pages/connections/safe-choice.js'
import { SealedText } from '../pages/sealed-text.js'
import { acceptFormsOnly, formFields } from './form.js'
import { rejectOtherMethods } from './method-not-allowed.js'
import { useErrorPages } from './page-errors.js'

declare module '../../plugins/views.js' {
  interface Pages {
    consent: ConsentView
    connected: ConnectedView
  }
}

/** The view model of `views/connected.eta`. */
interface ConnectedView {
  clientName: string
  redirectUrl: string
}

/** The view model of `views/consent.eta` (RULES C7). */
export interface ConsentView {
  csrf: string
  /** The target of the form. */
  action: string
  title: string
  clientName: string
  clientVerified: boolean
  /** How well the app is identified, as text. */
  clientStanding: string
  redirectHost: string
  /** The host of this service. */
  serverHost: string
  /** A warning, or null for verified apps. */
  caution: string | null
  accountEmail: string
  switchAccountUrl: string
  requiredScopes: ScopeView[]
  optionalScopes: ScopeView[]
  /** What it asks, as text before the host of this service. */
  wants: string
  /** Whether the box "May propose changes" is ticked; null: it is not offered. */
  propose: boolean | null
  /** The name of the pinned Safe, or null if the user can choose. */
  pinnedSafe: string | null
  /** The Safes to choose from, or null if the Safe is pinned or the account has none. */
  safeChoice: SafeChoice | null
  /** What no limit and a limit mean, as text. */
  allSafes: string
  onlyHint: string
  /** How long the connection lasts. */
  lasts: string
  /** The error of the submitted choice. */
  error: string | undefined
}

type ScopeView = OfferedScope & { text: string }

const NO_SAFE: Pick<Choice, 'safeIds' | 'only'> = { safeIds: [], only: false }

const CONSENT_URL = '/oauth/consent/:id'

interface Params {
  id: string
}

/** `form`: what had been ticked before the session ended (plugins/kept-forms.ts). */
const ShowQuery = Type.Object({ form: Type.Optional(SealedText) })

interface Show {
  Params: Params
  Querystring: Static<typeof ShowQuery>
}

/** The consent page: GET shows it, POST decides (RULES C1). It is shown for every authorization (C8). */
export default async function consentRoutes(app: FastifyInstance) {
  useErrorPages(app)
  await acceptFormsOnly(app)
  app.get<Show>(CONSENT_URL, { schema: { querystring: ShowQuery } }, show)
  app.post<{ Params: Params }>(CONSENT_URL, decide)
  rejectOtherMethods(app, CONSENT_URL, ['GET', 'HEAD', 'POST'])

  async function show(request: FastifyRequest<Show>, reply: FastifyReply) {
    const authorizationRequest = await app.oauth.authorization.find(request.params.id, request.browsers)
    reply.header('Cache-Control', 'no-store')
    if (!request.account) return reply.redirect(loginUrl(request.params.id, request.query.form ?? null), 303)
    return page(
      reply,
      authorizationRequest,
      request.account,
      keptChoice(request, mayOffer(authorizationRequest)),
    )
  }

  /** Whether the user can be asked: the HTTP API has a scope for what it may change. */
  const mayOffer = ({ resource }: AuthorizationRequest) => app.config.hasProposals && resource !== 'api'

  async function decide(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
    const { id } = request.params
    const { account } = request
    const { authorization } = app.oauth
    const authorizationRequest = await authorization.find(id, request.browsers)
    reply.header('Cache-Control', 'no-store')
    // Before the token, which belongs to the session that ended: signing in leads back to this page.
    if (!account) return reply.redirect(loginUrl(id, request.keepForm()), 303)
    const choice = choiceOf(formFields(request), mayOffer(authorizationRequest))
    try {
      request.checkCsrf(csrfScope(id))
    } catch (error) {
      // Another session than when the page was opened. What was ticked on our own page is not lost.
      if (!request.ownForm()) throw error
      return page(reply.code(403), authorizationRequest, account, choice, messages.consent.otherSession)
    }
    const { decision, list } = formFields(request)
    if (typeof list === 'string')
      return page(reply, authorizationRequest, account, choice, tooManyChosen(choice))
    if (decision === 'deny')
      return reply.redirect(await authorization.deny(authorizationRequest, account.id), 303)
    if (decision !== 'approve') throw new DomainError(400, 'no_decision', messages.consent.noDecision)
    try {
      const redirectUrl = await authorization.approve(authorizationRequest, account.id, choice)
      if (!opensApp(redirectUrl) || !wantsPage(request)) return reply.redirect(redirectUrl, 303)
      // A browser stays on its page when it hands a URL over to an app, so that page must be the last one.
      return reply.page('connected', { clientName: authorizationRequest.clientName, redirectUrl })
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'bad_choice') throw error
      return page(reply.code(error.status), authorizationRequest, account, choice, error.message)
    }
  }

  async function page(
    reply: FastifyReply,
    request: AuthorizationRequest,
    account: Account,
    choice: Choice | null,
    error?: string,
  ) {
    const { id } = reply.request.params as Params
    const pinnedSafe = await pinnedName(request, account.id)
    const position = choice ? positionIn(formFields(reply.request)) : undefined
    const isApi = request.resource === 'api'
    // A Safe that is ticked without being asked for would limit the connection.
    const offered = isApi ? (choice ?? NO_SAFE) : choice
    const safeChoice = pinnedSafe === null ? await offerSafes(app.safes, account.id, offered, position) : null
    const scopes = offeredScopes(request.scope, choice?.scope).map(scope => {
      return { ...scope, text: describeScope(scope.name, request.resource, app.config) }
    })
    const offersProposing = mayOffer(request)
    const view: ConsentView = {
      csrf: reply.csrfToken(csrfScope(id)),
      action: `/oauth/consent/${id}`,
      title: messages.consent.title(request.clientName, request.clientVerified),
      clientName: request.clientName,
      clientVerified: request.clientVerified,
      clientStanding: standingOf(request),
      redirectHost: redirectHost(request.redirectUri),
      serverHost: new URL(app.config.baseUrl).host,
      caution: warningFor(request),
      accountEmail: account.email,
      switchAccountUrl: `/logout?request=${id}`,
      requiredScopes: scopes.filter(({ required }) => required),
      optionalScopes: scopes.filter(
        ({ name, required }) => !required && !(offersProposing && name === WRITE),
      ),
      wants: wantsOf(request),
      propose: offersProposing ? choice?.propose === true : null,
      pinnedSafe,
      safeChoice: safeChoice && (safeChoice.safes.length > 0 || safeChoice.list) ? safeChoice : null,
      allSafes: isApi ? messages.consent.apiAllSafes : messages.consent.allSafes,
      onlyHint: isApi ? messages.consent.apiOnlyHint : messages.consent.onlyHint,
      lasts: messages.consent.lasts(REFRESH_TOKEN_DAYS),
      error,
    }
    return reply.page('consent', view)
  }

  /** The name of the Safe that the app asks for, or null if it asks for none. @throws DomainError 404 */
  async function pinnedName(request: AuthorizationRequest, accountId: string): Promise<string | null> {
    const pinnedId = safeIdOf(request.resource)
    if (pinnedId === null) return null
    const pinned = await app.safes.membership(accountId, pinnedId)
    if (!pinned) throw unreadable()
    return pinned.name
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

/** What the app asks, in the words of what it asked (UX). */
function wantsOf({ resource, scope }: AuthorizationRequest): string {
  const { wants, wantsToChange, wantsApi, wantsToFill } = messages.consent
  const asksToWrite = scope.includes(WRITE)
  if (resource === 'api') return asksToWrite ? wantsToFill : wantsApi
  return asksToWrite ? wantsToChange : wants
}

const csrfScope = (id: string) => `consent:${id}`
/** `form`: what has been ticked, from `keepForm`. */
const loginUrl = (id: string, form: string | null) => `/login?request=${id}${form ? `&form=${form}` : ''}`

/** Reads the submitted choice (DESIGN §5.11). */
function choiceOf(fields: Parameters, offersProposing: boolean): Choice {
  const scope = [fields.scope ?? []].flat()
  // Scripts may tick the scope, which the same box gives.
  const propose = offersProposing && ([fields.propose].flat().includes('yes') || scope.includes(WRITE))
  return { ...chosenIn(fields), scope, ...(propose && { propose }) }
}

/** The choice that was submitted before the session ended, or null. */
function keptChoice(request: FastifyRequest<Show>, offersProposing: boolean): Choice | null {
  const { id } = request.params
  const { form = null } = request.query
  const kept = form === null ? null : request.openKeptForm(form)
  if (kept?.path !== `/oauth/consent/${id}`) return null
  const valuesOf = (wanted: string) =>
    kept.fields.flatMap(([name, value]) => (name === wanted ? [value] : []))
  const [propose] = valuesOf('propose')
  return choiceOf(
    { safe: valuesOf('safe'), only: valuesOf('only')[0], scope: valuesOf('scope'), propose },
    offersProposing,
  )
}
