import { type Finding, problem } from '../finding.js'
import type { Installation } from '../installation.js'
import { type PublicAnswer, shownAnswer } from '../public-address.js'
import { addressTexts } from './address-texts.js'

const m = addressTexts.tokens
const PATH = '/mcp/v1'

/** Whether the 401 with its challenge arrives (RFC 9728 §5.1), and whether tokens reach the service. */
export async function checkTokens({ address, settings }: Installation): Promise<Finding[]> {
  const ask = (headers: Record<string, string>) =>
    address.send(PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
  const [without, made] = await Promise.all([ask({}), ask({ Authorization: 'Bearer made-up-by-svc-doctor' })])
  const metadata = `resource_metadata="${settings.baseUrl}/.well-known/oauth-protected-resource${PATH}"`
  if (without.status !== 401 || !challengeOf(without).includes(metadata))
    return [problem(m.challenge(PATH, shownAnswer(without)))]
  // A missing token has no error code (RFC 6750 §3).
  if (made.status === 401 && !challengeOf(made).includes('error=')) return [problem(m.dropped)]
  if (made.status === 401 && challengeOf(made).includes('error="invalid_token"')) return []
  return [problem(m.challenge(PATH, shownAnswer(made)))]
}

const challengeOf = ({ headers }: PublicAnswer) => headers['www-authenticate'] ?? ''
