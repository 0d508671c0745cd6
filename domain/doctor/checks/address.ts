import { type Advice, type Finding, problem, reasonOf } from '../finding.js'
import type { Installation } from '../installation.js'
import { jsonOf, type PublicAddress, type PublicAnswer, proxyOf, shownAnswer } from '../public-address.js'
import { addressTexts } from './address-texts.js'

const m = addressTexts.address

/** Whether a service of this kind answers at BASE_URL. */
export async function checkAddress({ settings: { baseUrl }, address }: Installation): Promise<Finding[]> {
  const isHttp = baseUrl.startsWith('http:')
  try {
    const answer = await address.send('/healthz')
    if (answer.status === 200 && jsonOf(answer)?.status === 'ok') return checkHost(baseUrl, address)
    const target = redirectTarget(baseUrl, answer)
    if (target) return [problem(m.redirects(baseUrl, target))]
    if (isHttp && (await speaksTls(address))) return [problem(m.tlsOnly(baseUrl))]
    return [problem(m.wrongAnswer(baseUrl, shownAnswer(answer)))]
  } catch (error) {
    if (isHttp && (await speaksTls(address))) return [problem(m.tlsOnly(baseUrl))]
    return [problem(unreachable(baseUrl, error))]
  }
}

/** Health checks are answered under every name, all other requests only under that of BASE_URL. */
async function checkHost(baseUrl: string, address: PublicAddress): Promise<Finding[]> {
  const answer = await address.send('/.well-known/oauth-authorization-server')
  if (answer.status !== 403 || jsonOf(answer)?.error !== 'wrong_host') return []
  const { wrongHost, hostSettings } = addressTexts
  return [problem(wrongHost(baseUrl, hostSettings[proxyOf(answer)]))]
}

function redirectTarget(baseUrl: string, { status, headers: { location } }: PublicAnswer): string | null {
  if (status < 300 || status > 399 || !location) return null
  return URL.canParse(location, baseUrl) ? new URL(location, baseUrl).origin : location
}

function unreachable(baseUrl: string, error: unknown): Advice {
  const { code = '' } = error as NodeJS.ErrnoException
  if (isTlsMissing(code)) return m.noTls(baseUrl)
  return isCertificateRejected(code)
    ? m.certificate(baseUrl, reasonOf(error))
    : m.unreachable(baseUrl, reasonOf(error))
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
