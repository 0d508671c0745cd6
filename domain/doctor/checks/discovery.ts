import { isDeepStrictEqual } from 'node:util'
import { authorizationServerMetadata, protectedResourceMetadata } from '../../oauth/metadata.js'
import { type Finding, problem } from '../finding.js'
import type { Installation } from '../installation.js'
import { jsonOf, shownAnswer } from '../public-address.js'
import { addressTexts } from './address-texts.js'

const m = addressTexts.discovery
const ORIGIN = 'https://assistant.example'
const MCP = '/mcp/v1'

/** The documents that assistants read first (RFC 8414, RFC 9728), also from browsers (CORS). */
export async function checkDiscovery(installation: Installation): Promise<Finding[]> {
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
  if (!document) return [problem(m.missing(path, shownAnswer(answer)))]
  const { issuer } = document
  if (issuer !== undefined && issuer !== settings.baseUrl)
    return [problem(m.otherIssuer(String(issuer).slice(0, 200), settings.baseUrl))]
  if (!isDeepStrictEqual(document, expected)) return [problem(m.changed(path))]
  return answer.headers['access-control-allow-origin'] === '*' ? [] : [problem(m.cors(path))]
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
  return isAllowed ? [] : [problem(m.cors(MCP))]
}
