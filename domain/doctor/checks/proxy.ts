import { type Finding, problem, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { probePath, type SeenRequest } from '../probe.js'
import { jsonOf } from '../public-address.js'
import { addressTexts } from './address-texts.js'

const m = addressTexts.proxy
/** An unused address (RFC 5737). */
const FORGED = '192.0.2.77'

/** Whether the service can distinguish its visitors: `X-Forwarded-For` and TRUST_PROXY. */
export async function checkProxy(installation: Installation): Promise<Finding[]> {
  const { address, settings, clock } = installation
  const keyFor = await installation.keyFor().catch(() => null)
  // The check of the database reports the reason.
  if (!keyFor) return []
  const answer = await address.send(probePath(keyFor, clock()), { headers: { 'X-Forwarded-For': FORGED } })
  const seen = answer.status === 200 ? (jsonOf(answer) as SeenRequest | null) : null
  if (!seen) return [problem(m.otherInstallation(settings.baseUrl))]
  const chain = (seen.forwardedFor ?? '').split(',').map(address => address.trim())
  const isAdded = seen.forwardedFor !== null && chain.at(-1) !== FORGED
  if (isAdded) return addedAddress(seen, settings.trustProxy)
  if (seen.address === FORGED) return [problem(m.forgeable)]
  const hasProxy = seen.isProxied || settings.baseUrl.startsWith('https:')
  return hasProxy ? [warning(m.notForwarded)] : []
}

function addedAddress({ peer, isPeerTrusted }: SeenRequest, trustProxy: readonly string[]): Finding[] {
  if (isPeerTrusted) return []
  return [warning(trustProxy.length === 0 ? m.untrusted(peer) : m.otherProxy(peer, trustProxy.join(', ')))]
}
