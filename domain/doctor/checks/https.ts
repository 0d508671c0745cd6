import { type Finding, note, problem } from '../finding.js'
import type { Installation } from '../installation.js'
import { addressTexts } from './address-texts.js'

const m = addressTexts.https
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether BASE_URL is https, unless it is for this machine only. */
export async function checkHttps({ settings: { baseUrl } }: Installation): Promise<Finding[]> {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:') return []
  return [LOOPBACK.test(hostname) ? note(m.onlyHere(baseUrl)) : problem(m.none(baseUrl))]
}
