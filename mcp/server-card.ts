import type { Resource } from '../domain/oauth/connections/access.js'
import { endpointUrl } from '../domain/oauth/resource.js'
import { REVISIONS, STATELESS } from './revisions/protocol-version.js'
import type { ServerInfo } from './server-info.js'

/**
 * The Server Card of an MCP endpoint: what the server is and where to connect (SEP-2127). How to authorize is
 * in the metadata of the endpoint (RFC 9728).
 */
export function serverCard(info: ServerInfo, baseUrl: string, resource: Resource): object {
  const { name, title, version, icons } = info
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${namespace(baseUrl)}/${name}`,
    version,
    title,
    description: 'Answers questions from your Safes: knowledge graphs of facts and passages, with sources.',
    icons,
    remotes: [
      {
        type: 'streamable-http',
        url: endpointUrl(baseUrl, resource),
        supportedProtocolVersions: [...REVISIONS, STATELESS],
      },
    ],
  }
}

/** The host in reverse, as in `org.example.safes`. */
function namespace(baseUrl: string): string {
  const labels = new URL(baseUrl).hostname.split('.').reverse()
  // The brackets and colons of an IPv6 address are not allowed.
  return labels.join('.').replace(/[^a-z0-9.-]/g, '-')
}
