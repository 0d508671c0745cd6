import type { Resource } from './connections/access.js'
import { endpointUrl } from './resource.js'
import { READ, SCOPES } from './scope.js'

/** Authorization server metadata (RFC 8414, SPEC §2). All URLs are built from BASE_URL, never from the request. */
export const authorizationServerMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: SCOPES,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${baseUrl}/`,
})

/** Protected resource metadata (RFC 9728 §2). */
export const protectedResourceMetadata = (baseUrl: string, resource: Resource) => ({
  resource: endpointUrl(baseUrl, resource),
  authorization_servers: [baseUrl],
  bearer_methods_supported: ['header'],
  scopes_supported: resource === 'api' ? SCOPES : [READ],
  resource_name: nameOf(resource),
})

const nameOf = (resource: Resource) =>
  resource === 'api' ? 'Safes (HTTP API)' : resource === 'user' ? 'Safes' : 'Safe'
