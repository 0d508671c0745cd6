import { type Finding, problem } from '../finding.js'
import type { Installation } from '../installation.js'
import { jsonOf, shownAnswer } from '../public-address.js'
import { addressTexts } from './address-texts.js'

/** Assistants ask for it before they read ours, and continue only after a 404. */
const UNPUBLISHED = '/.well-known/openid-configuration'

/**
 * Whether an unused address is answered with the 404 of this service, not by something in front of
 * it.
 */
export async function checkNotFound({ address }: Installation): Promise<Finding[]> {
  const answer = await address.send(UNPUBLISHED)
  if (answer.status === 404 && jsonOf(answer)) return []
  return [problem(addressTexts.notFound(UNPUBLISHED, shownAnswer(answer)))]
}
