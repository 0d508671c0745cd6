import type { AuthorizationRequest } from '../../domain/oauth/authorize/authorization-request.js'
import { type Standing, standingOf } from '../../domain/oauth/clients/app-trust.js'
import { isDocumentId } from '../../domain/oauth/clients/client.js'
import { publisherOf } from '../../domain/oauth/clients/client-document.js'
import { isLoopback, redirectHost } from '../../domain/oauth/clients/redirect-uri.js'
import {
  type ConnectionChoice,
  type OfferedScope,
  offeredScopes,
} from '../../domain/oauth/connections/choice.js'
import { REFRESH_TOKEN_DAYS } from '../../domain/oauth/lifetime.js'
import { WRITE } from '../../domain/oauth/scope.js'
import { showTime } from '../../platform/common/format.js'
import type { Config } from '../../plugins/config.js'
import { consentTexts } from '../../views/texts/consent.js'
import { describeScope } from '../describe-scope.js'
import type { SafeChoice } from '../pages/connections/safe-choice.js'

/** The view model of `views/consent.eta` (RULES C7). */
interface ConsentView {
  csrf: string
  /** The target of the form. */
  action: string
  title: string
  clientName: string
  clientVerified: boolean
  /** How well the app is identified: the kind of its tag, and in words. */
  standing: { kind: 'good' | 'known' | 'warn'; text: string }
  redirectHost: string
  /** The host of this service. */
  serverHost: string
  /** A warning, or null for verified apps. */
  caution: string | null
  accountEmail: string
  switchAccountUrl: string
  requiredScopes: ScopeView[]
  optionalScopes: ScopeView[]
  /** The requested access, as text before the host of this service. */
  wants: string
  /** Whether the box "May propose changes" is ticked; null: it is not offered. */
  propose: boolean | null
  /** The same for the tools `search` and `fetch`, which are offered again to apps that had them. */
  search: boolean | null
  /** The note that the form shows earlier choices, or null. */
  earlier: string | null
  /** The name of the pinned Safe, or null if the user can choose. */
  pinnedSafe: string | null
  /** The only Safe of the account. */
  oneSafe: { id: string; name: string; only: boolean } | null
  /** The Safes to choose from, or null if there is no choice. */
  safeChoice: SafeChoice | null
  /** The meaning of no limit and of a limit, as text. */
  allSafes: string
  onlyHint: string | null
  /** How long the connection lasts. */
  lasts: string
  /** The error of the submitted choice. */
  error: string | undefined
}

type ScopeView = OfferedScope & { text: string }

/** The parts of the page that depend on more than the request. */
interface ConsentPage {
  csrf: string
  action: string
  accountEmail: string
  switchAccountUrl: string
  /** The ticked boxes, or null. */
  choice: ConnectionChoice | null
  /** When the app was approved before, if its choices are shown. */
  approvedAt: number | null
  offersProposing: boolean
  pinnedSafe: string | null
  safeChoice: SafeChoice | null
  error: string | undefined
}

/** The view model of the page, from the request and the account that it is shown to. */
export function consentView(request: AuthorizationRequest, page: ConsentPage, config: Config): ConsentView {
  const { clientId, clientName, clientVerified, resource, redirectUri } = request
  const standing = standingOf(request, config.knownRedirectUris)
  const { choice, offersProposing, approvedAt, safeChoice, ...rest } = page
  const isApi = resource === 'api'
  const scopes = offeredScopes(request.scope, choice?.scope).map(scope => {
    return { ...scope, text: describeScope(scope.name, resource, config) }
  })
  const hasSafes = safeChoice !== null && (safeChoice.safes.length > 0 || safeChoice.list !== null)
  const oneSafe = hasSafes && !isApi ? onlySafe(safeChoice) : null
  return {
    ...rest,
    title: consentTexts.title(clientName, clientVerified),
    ...{ clientName, clientVerified },
    standing: standingView(clientId, standing),
    redirectHost: redirectHost(redirectUri),
    serverHost: new URL(config.baseUrl).host,
    caution: warningFor(redirectUri, standing),
    requiredScopes: scopes.filter(({ required }) => required),
    optionalScopes: scopes.filter(({ name, required }) => !required && !(offersProposing && name === WRITE)),
    wants: wantsOf(request),
    propose: offersProposing ? choice?.propose === true : null,
    search: isApi ? null : (choice?.search ?? null),
    earlier: approvedAt === null ? null : consentTexts.earlier(showTime(approvedAt), standing),
    oneSafe,
    safeChoice: hasSafes && !oneSafe ? safeChoice : null,
    allSafes: isApi ? consentTexts.apiAllSafes : consentTexts.allSafes,
    onlyHint: isApi ? consentTexts.apiOnlyHint : null,
    lasts: consentTexts.lasts(REFRESH_TOKEN_DAYS),
  }
}

/** With one Safe there is nothing to tick: only this Safe, or later ones as well. */
function onlySafe({ safes, list, only }: SafeChoice): ConsentView['oneSafe'] {
  const [safe, ...others] = safes
  // If the Safe that it is limited to was removed, a click must not limit it to another one.
  if (!safe || others.length > 0 || list || (only && !safe.chosen)) return null
  return { id: safe.id, name: safe.name, only }
}

function standingView(clientId: string, standing: Standing): ConsentView['standing'] {
  const { verified, publishedBy, unverifiable, unverified, known } = consentTexts
  if (standing === 'verified')
    return { kind: 'good', text: `${verified} – ${publishedBy(publisherOf(clientId))}` }
  if (standing === 'known') return { kind: 'known', text: known }
  return { kind: 'warn', text: isDocumentId(clientId) ? unverifiable : unverified }
}

function warningFor(redirectUri: string, standing: Standing): string | null {
  if (isLoopback(redirectUri)) return consentTexts.loopback
  if (standing === 'verified') return null
  return standing === 'known' ? consentTexts.knownHost : consentTexts.unknownHost
}

/** The requested access, in the words of the request (UX). */
function wantsOf({ resource, scope }: AuthorizationRequest): string {
  const { wants, wantsToChange, wantsApi, wantsToFill } = consentTexts
  const asksToWrite = scope.includes(WRITE)
  if (resource === 'api') return asksToWrite ? wantsToFill : wantsApi
  return asksToWrite ? wantsToChange : wants
}
