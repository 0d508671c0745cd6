import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../domain/accounts/account.js'
import type { AuthorizationRequest } from '../../domain/oauth/authorize/authorization-request.js'
import { unreadable } from '../../domain/oauth/authorize/consent.js'
import { opensApp } from '../../domain/oauth/clients/redirect-uri.js'
import { safeIdOf } from '../../domain/oauth/connections/access.js'
import type { ConnectionChoice } from '../../domain/oauth/connections/choice.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { wantsPage } from '../../plugins/errors.js'
import { consentTexts } from '../../views/texts/consent.js'
import { offerSafes, positionIn, tooManyChosen } from '../pages/connections/safe-choice.js'
import { SealedText } from '../pages/sealed-text.js'
import { choiceOf, keptChoice } from './consent-choice.js'
import { consentView } from './consent-view.js'
import { acceptFormsOnly, formFields } from './form.js'
import { rejectOtherMethods } from './method-not-allowed.js'
import { useErrorPages } from './page-errors.js'

/** The view model of `views/connected.eta`. */
interface ConnectedView {
  clientName: string
  redirectUrl: string
}

const NO_SAFE: Pick<ConnectionChoice, 'safeIds' | 'only'> = { safeIds: [], only: false }

const CONSENT_URL = '/oauth/consent/:id'

interface Params {
  id: string
}

/** `form`: the boxes ticked before the session ended (plugins/unsent-forms.ts). */
const ShowQuery = Type.Object({ form: Type.Optional(SealedText) })

interface Show {
  Params: Params
  Querystring: Static<typeof ShowQuery>
}

/** The initial state of the page. `approvedAt`: when the choice was made, if it is an earlier one. */
interface Opened {
  choice: ConnectionChoice | null
  approvedAt?: number | null
  error?: string | undefined
}

/** The consent page: GET shows it, POST decides (RULES C1). It is shown for every authorization (C8). */
export default async function consentRoutes(app: FastifyInstance) {
  useErrorPages(app)
  await acceptFormsOnly(app)
  app.get<Show>(CONSENT_URL, { schema: { querystring: ShowQuery } }, show)
  app.post<{ Params: Params }>(CONSENT_URL, decide)
  rejectOtherMethods(app, CONSENT_URL, ['GET', 'HEAD', 'POST'])
}

async function show(request: FastifyRequest<Show>, reply: FastifyReply) {
  const { id } = request.params
  const { oauth } = request.server
  const { form = null } = request.query
  const authorizationRequest = await oauth.authorization.find(id, request.browsers)
  reply.header('Cache-Control', 'no-store')
  const { account } = request
  if (!account) return reply.redirect(loginUrl(id, form), 303)
  const kept = keptChoice(request, consentUrl(id), form, mayOffer(request.server, authorizationRequest))
  if (kept) return page(reply, authorizationRequest, account, { choice: kept })
  const earlier = await oauth.connections.earlier(account.id, authorizationRequest)
  return page(reply, authorizationRequest, account, { choice: earlier, approvedAt: earlier?.at ?? null })
}

async function decide(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
  const { id } = request.params
  const { account } = request
  const { authorization } = request.server.oauth
  const authorizationRequest = await authorization.find(id, request.browsers)
  reply.header('Cache-Control', 'no-store')
  // Before the token, which belongs to the session that ended: signing in returns to this page.
  if (!account) return reply.redirect(loginUrl(id, request.keepForm()), 303)
  const choice = choiceOf(formFields(request), mayOffer(request.server, authorizationRequest))
  const again = (error?: string) => page(reply, authorizationRequest, account, { choice, error })
  try {
    request.checkCsrf(csrfScope(id))
  } catch (error) {
    // The session has changed since the page was opened. The boxes ticked on our own page are kept.
    if (!request.ownForm()) throw error
    reply.code(403)
    return again(consentTexts.otherSession)
  }
  const { decision, list } = formFields(request)
  if (typeof list === 'string') return again(tooManyChosen(choice))
  if (decision === 'deny')
    return reply.redirect(await authorization.deny(authorizationRequest, account.id), 303)
  if (decision !== 'approve') throw new DomainError(400, 'no_decision', consentTexts.noDecision)
  try {
    const redirectUrl = await authorization.approve(authorizationRequest, account.id, choice)
    if (!opensApp(redirectUrl) || !wantsPage(request)) return reply.redirect(redirectUrl, 303)
    // A browser stays on its page when it opens an app's URL, so that page must be the last one.
    return reply.page<ConnectedView>('connected', {
      clientName: authorizationRequest.clientName,
      redirectUrl,
    })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'bad_choice') throw error
    reply.code(error.status)
    return again(error.message)
  }
}

async function page(
  reply: FastifyReply,
  request: AuthorizationRequest,
  account: Account,
  { choice, approvedAt = null, error }: Opened,
) {
  const app = reply.server
  const { id } = reply.request.params as Params
  const pinnedSafe = await pinnedName(app, request, account.id)
  const position = choice && approvedAt === null ? positionIn(formFields(reply.request)) : undefined
  // Ticking a Safe that was not requested would limit the connection.
  const offered = request.resource === 'api' ? (choice ?? NO_SAFE) : choice
  const safeChoice = pinnedSafe === null ? await offerSafes(app.safes, account.id, offered, position) : null
  const csrf = reply.csrfToken(csrfScope(id))
  const address = { csrf, action: consentUrl(id), switchAccountUrl: `/logout?request=${id}` }
  const offersProposing = mayOffer(app, request)
  const shown = { choice, approvedAt, offersProposing, pinnedSafe, safeChoice, error }
  const view = consentView(request, { ...address, ...shown, accountEmail: account.email }, app.config)
  return reply.page('consent', view)
}

/** The name of the Safe that the app requests, or null if it requests none. @throws DomainError 404 */
async function pinnedName(
  { safes }: FastifyInstance,
  request: AuthorizationRequest,
  accountId: string,
): Promise<string | null> {
  const pinnedId = safeIdOf(request.resource)
  if (pinnedId === null) return null
  const pinned = await safes.membership(accountId, pinnedId)
  if (!pinned) throw unreadable()
  return pinned.name
}

/** Whether to ask the user: the HTTP API has a scope for its changes. */
const mayOffer = ({ config }: FastifyInstance, { resource }: AuthorizationRequest) =>
  config.hasProposals && resource !== 'api'

const consentUrl = (id: string) => `/oauth/consent/${id}`
const csrfScope = (id: string) => `consent:${id}`
/** `form`: the ticked boxes, from `keepForm`. */
const loginUrl = (id: string, form: string | null) => `/login?request=${id}${form ? `&form=${form}` : ''}`
