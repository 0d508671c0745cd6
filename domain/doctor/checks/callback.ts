import { readKnownClients } from '../../oauth/clients/known-clients.js'
import { type Finding, problem } from '../finding.js'
import type { Installation } from '../installation.js'
import { shownAnswer } from '../public-address.js'
import { addressTexts } from './address-texts.js'

const m = addressTexts.callback

/** Whether a response reaches the assistant: a redirect to its callback, and the form of the consent page. */
export async function checkCallback(installation: Installation): Promise<Finding[]> {
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
    return [problem(m.redirect(callback, location || shownAnswer(answer)))]
  const { state, iss } = Object.fromEntries(target.searchParams)
  if (state === 'svc-doctor' && iss === settings.baseUrl) return []
  return [problem(m.redirect(callback, location))]
}

/** Chromium applies `form-action` to the redirect after the form. Our own policy has none. */
async function checkFormAction({ address }: Installation): Promise<Finding[]> {
  const { headers } = await address.send('/login', { headers: { Accept: 'text/html' } })
  const policy = String(headers['content-security-policy'] ?? '')
  return policy.includes('form-action') ? [problem(m.formAction)] : []
}
