import { type Finding, problem } from '../finding.js'
import type { Installation } from '../installation.js'
import { jsonOf, proxyOf } from '../public-address.js'
import { addressTexts } from './address-texts.js'

const BYTES = 60 * 1024 * 1024
/** A proxy that refuses a length does so before the body arrives. */
const WAIT_MS = 2000

/** Whether the proxy refuses large bodies. Only their length is sent: the service asks for a token first. */
export async function checkUploads({ address }: Installation): Promise<Finding[]> {
  const answer = await address
    .announce('/mcp/v1', { 'Content-Type': 'application/json', 'Content-Length': String(BYTES) }, WAIT_MS)
    .catch(() => null)
  if (answer?.status !== 413 || jsonOf(answer)) return []
  const { uploads, uploadSettings } = addressTexts
  return [problem(uploads(uploadSettings[proxyOf(answer)]))]
}
