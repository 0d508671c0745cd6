import { isDeepStrictEqual } from 'node:util'
import { readKnownClients } from '../../oauth/clients/client-document.js'
import { authorizationServerMetadata, protectedResourceMetadata } from '../../oauth/metadata.js'
import { type Advice, type Finding, note, problem, reasonOf, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { probePath, type SeenRequest } from '../probe.js'
import { jsonOf, type PublicAddress, type PublicAnswer, proxyOf, shownAnswer } from '../public-address.js'
import { addressTexts } from './address-texts.js'

/** What is asked at the public address. */
export const addressChecks = {
  address: checkAddress,
  discovery: checkDiscovery,
  notFound: checkNotFound,
  tokens: checkTokens,
  callback: checkCallback,
  proxy: checkProxy,
  uploads: checkUploads,
  https: checkHttps,
}

/** Whether BASE_URL answers as this service does. */
async function checkAddress({ settings: { baseUrl }, address }: Installation): Promise<Finding[]> {
  const isHttp = baseUrl.startsWith('http:')
  try {
    const answer = await address.send('/healthz')
    if (answer.status === 200 && jsonOf(answer)?.status === 'ok') return checkHost(baseUrl, address)
    const target = redirectTarget(baseUrl, answer)
    if (target) return problem(addressTexts.address.redirects(baseUrl, target))
    if (isHttp && (await speaksTls(address))) return problem(addressTexts.address.tlsOnly(baseUrl))
    return problem(addressTexts.address.wrongAnswer(baseUrl, shownAnswer(answer)))
  } catch (error) {
    if (isHttp && (await speaksTls(address))) return problem(addressTexts.address.tlsOnly(baseUrl))
    return problem(unreachable(baseUrl, error))
  }
}

/** Health checks are answered under every name, all other requests only under that of BASE_URL. */
async function checkHost(baseUrl: string, address: PublicAddress): Promise<Finding[]> {
  const answer = await address.send('/.well-known/oauth-authorization-server')
  if (answer.status !== 403 || jsonOf(answer)?.error !== 'wrong_host') return []
  const { wrongHost, hostSettings } = addressTexts
  return problem(wrongHost(baseUrl, hostSettings[proxyOf(answer)]))
}

function redirectTarget(baseUrl: string, { status, headers: { location } }: PublicAnswer): string | null {
  if (status < 300 || status > 399 || !location) return null
  return URL.canParse(location, baseUrl) ? new URL(location, baseUrl).origin : location
}

function unreachable(baseUrl: string, error: unknown): Advice {
  const { code = '' } = error as NodeJS.ErrnoException
  if (isTlsMissing(code)) return addressTexts.address.noTls(baseUrl)
  return isCertificateRejected(code)
    ? addressTexts.address.certificate(baseUrl, reasonOf(error))
    : addressTexts.address.unreachable(baseUrl, reasonOf(error))
}

const isTlsMissing = (code: string) => /^(?:EPROTO|ERR_SSL_)/.test(code)
const isCertificateRejected = (code: string) => /CERT|SELF_SIGNED|UNABLE_TO/.test(code)

const speaksTls = (address: PublicAddress) =>
  address
    .withTls()
    .send('/healthz')
    .then(
      () => true,
      error => isCertificateRejected(String(error.code)),
    )

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether BASE_URL is https, unless it is for this machine only. */
async function checkHttps({ settings: { baseUrl } }: Installation): Promise<Finding[]> {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:') return []
  const { onlyHere, none } = addressTexts.https
  return LOOPBACK.test(hostname) ? note(onlyHere(baseUrl)) : problem(none(baseUrl))
}

const ORIGIN = 'https://assistant.example'
const MCP = '/mcp/v1'

/** The documents that assistants read first (RFC 8414, RFC 9728), also from browsers (CORS). */
async function checkDiscovery(installation: Installation): Promise<Finding[]> {
  const { baseUrl } = installation.settings
  const resource = protectedResourceMetadata(baseUrl, 'user')
  const documents: [path: string, expected: object][] = [
    ['/.well-known/oauth-protected-resource', resource],
    [`/.well-known/oauth-protected-resource${MCP}`, resource],
    ['/.well-known/oauth-authorization-server', authorizationServerMetadata(baseUrl)],
  ]
  const found = await Promise.all([
    ...documents.map(([path, expected]) => checkDocument(installation, path, expected)),
    checkPreflight(installation),
  ])
  return found.flat()
}

async function checkDocument({ address, settings }: Installation, path: string, expected: object) {
  const answer = await address.send(path, { headers: { Origin: ORIGIN } })
  const document = answer.status === 200 ? jsonOf(answer) : null
  if (!document) return problem(addressTexts.discovery.missing(path, shownAnswer(answer)))
  const { issuer } = document
  if (issuer !== undefined && issuer !== settings.baseUrl)
    return problem(addressTexts.discovery.otherIssuer(String(issuer).slice(0, 200), settings.baseUrl))
  if (!isDeepStrictEqual(document, expected)) return problem(addressTexts.discovery.changed(path))
  return answer.headers['access-control-allow-origin'] === '*'
    ? []
    : problem(addressTexts.discovery.cors(path))
}

async function checkPreflight({ address }: Installation): Promise<Finding[]> {
  const { headers } = await address.send(MCP, {
    method: 'OPTIONS',
    headers: {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization, content-type',
    },
  })
  const allowed = String(headers['access-control-allow-headers'] ?? '').toLowerCase()
  const isAllowed = headers['access-control-allow-origin'] === '*' && allowed.includes('authorization')
  return isAllowed ? [] : problem(addressTexts.discovery.cors(MCP))
}

/** Assistants ask for it before they read ours, and continue only after a 404. */
const UNPUBLISHED = '/.well-known/openid-configuration'

/**
 * Whether an unused address is answered with the 404 of this service, not by something in front of
 * it.
 */
async function checkNotFound({ address }: Installation): Promise<Finding[]> {
  const answer = await address.send(UNPUBLISHED)
  if (answer.status === 404 && jsonOf(answer)) return []
  return problem(addressTexts.notFound(UNPUBLISHED, shownAnswer(answer)))
}

/** Whether the 401 with its challenge arrives (RFC 9728 §5.1), and whether tokens reach the service. */
async function checkTokens({ address, settings }: Installation): Promise<Finding[]> {
  const ask = (headers: Record<string, string>) =>
    address.send(MCP, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
  const [without, made] = await Promise.all([ask({}), ask({ Authorization: 'Bearer made-up-by-svc-doctor' })])
  const metadata = `resource_metadata="${settings.baseUrl}/.well-known/oauth-protected-resource${MCP}"`
  if (without.status !== 401 || !challengeOf(without).includes(metadata))
    return problem(addressTexts.tokens.challenge(MCP, shownAnswer(without)))
  // A missing token has no error code (RFC 6750 §3).
  if (made.status === 401 && !challengeOf(made).includes('error='))
    return problem(addressTexts.tokens.dropped)
  if (made.status === 401 && challengeOf(made).includes('error="invalid_token"')) return []
  return problem(addressTexts.tokens.challenge(MCP, shownAnswer(made)))
}

const challengeOf = ({ headers }: PublicAnswer) => headers['www-authenticate'] ?? ''

/** Whether a response reaches the assistant: a redirect to its callback, and the form of the consent page. */
async function checkCallback(installation: Installation): Promise<Finding[]> {
  return (await Promise.all([checkRedirect(installation), checkFormAction(installation)])).flat()
}

/** Requests a response type that does not exist, on behalf of a known assistant: nothing is stored. */
async function checkRedirect({ address, settings, clock }: Installation): Promise<Finding[]> {
  const clients = [...readKnownClients(clock()).values()]
  const client = clients.find(({ redirectUris: [first] }) => first?.startsWith('https:'))
  const [callback = ''] = client?.redirectUris ?? []
  const query = new URLSearchParams({
    client_id: client?.id ?? '',
    redirect_uri: callback,
    response_type: 'svc-doctor',
    state: 'svc-doctor',
  })
  const answer = await address.send(`/oauth/authorize?${query}`)
  const { location = '' } = answer.headers
  const target = URL.canParse(location) ? new URL(location) : null
  if (!target || `${target.origin}${target.pathname}` !== callback)
    return problem(addressTexts.callback.redirect(callback, location || shownAnswer(answer)))
  const { state, iss } = Object.fromEntries(target.searchParams)
  if (state === 'svc-doctor' && iss === settings.baseUrl) return []
  return problem(addressTexts.callback.redirect(callback, location))
}

/** Chromium applies `form-action` to the redirect after the form. Our own policy has none. */
async function checkFormAction({ address }: Installation): Promise<Finding[]> {
  const { headers } = await address.send('/login', { headers: { Accept: 'text/html' } })
  const policy = String(headers['content-security-policy'] ?? '')
  return policy.includes('form-action') ? problem(addressTexts.callback.formAction) : []
}

/** An unused address (RFC 5737). */
const FORGED = '192.0.2.77'

/** Whether the service can distinguish its visitors: `X-Forwarded-For` and TRUST_PROXY. */
async function checkProxy(installation: Installation): Promise<Finding[]> {
  const { address, settings, clock } = installation
  const keyFor = await installation.keyFor().catch(() => null)
  // The check of the database reports the reason.
  if (!keyFor) return []
  const answer = await address.send(probePath(keyFor, clock()), { headers: { 'X-Forwarded-For': FORGED } })
  const seen = answer.status === 200 ? (jsonOf(answer) as SeenRequest | null) : null
  if (!seen) return problem(addressTexts.proxy.otherInstallation(settings.baseUrl))
  const chain = (seen.forwardedFor ?? '').split(',').map(address => address.trim())
  const isAdded = seen.forwardedFor !== null && chain.at(-1) !== FORGED
  if (isAdded) return addedAddress(seen, settings.trustProxy)
  if (seen.address === FORGED) return problem(addressTexts.proxy.forgeable)
  const hasProxy = seen.isProxied || settings.baseUrl.startsWith('https:')
  return hasProxy ? warning(addressTexts.proxy.notForwarded) : []
}

function addedAddress({ peer, isPeerTrusted }: SeenRequest, trustProxy: readonly string[]): Finding[] {
  if (isPeerTrusted) return []
  return warning(
    trustProxy.length === 0
      ? addressTexts.proxy.untrusted(peer)
      : addressTexts.proxy.otherProxy(peer, trustProxy.join(', ')),
  )
}

const BYTES = 60 * 1024 * 1024
/** A proxy that refuses a length does so before the body arrives. */
const WAIT_MS = 2000

/** Whether the proxy refuses large bodies. Only their length is sent: the service asks for a token first. */
async function checkUploads({ address }: Installation): Promise<Finding[]> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(BYTES) }
  const answer = await address
    .send(MCP, { method: 'POST', headers, body: null, deadlineMs: WAIT_MS })
    .catch(() => null)
  if (answer?.status !== 413 || jsonOf(answer)) return []
  const { uploads, uploadSettings } = addressTexts
  return problem(uploads(uploadSettings[proxyOf(answer)]))
}
