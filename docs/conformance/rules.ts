/** A promise of the service about its protocols, and its source. */
export interface Rule {
  id: string
  promise: string
  source: string
}

export interface Section {
  letter: string
  title: string
  rules: Rule[]
}

const MCP = '2025-03-26'
const STATELESS = '2026-07-28'
const OURS = 'ours'

/** Test titles refer to these rules by number. Change a promise together with its tests. */
export const SECTIONS: readonly Section[] = [
  section('M', 'Authorization server metadata', [
    ['The issuer is BASE_URL, character for character', 'RFC 8414 §2, §3.3'],
    ['Endpoints and supported values are fixed; additions are extra members', 'RFC 8414 §2'],
    ['Any origin may read it; other methods are 405', 'Fetch; RFC 9110 §15.5.6'],
    ['Forged Host and forwarding headers change no URL', 'RFC 9700 §4'],
    ['Any other well-known address is 404 in JSON', 'RFC 8414 §3.1'],
    ['/authorize, /token and /register behave as those under /oauth', `${MCP} Authorization §2.3.2`],
  ]),
  section('P', 'Protected resource', [
    ['Each endpoint has its metadata', 'RFC 9728 §2, §3.1'],
    ['The metadata does not reveal whether a Safe exists', OURS],
    ['Without credentials: 401, the metadata’s URL, no error', 'RFC 9728 §5.1; RFC 6750 §3.1'],
    ['A token that is not valid: 401 invalid_token', 'RFC 6750 §3.1'],
    ['A token is accepted at its own endpoint only', 'RFC 8707 §2'],
    ['Without vault:read: 403 insufficient_scope', 'RFC 6750 §3.1'],
    ['Tokens are read from one Authorization header only', 'RFC 6750 §2'],
    ['Preflights need no token', 'Fetch §4.8'],
    ['Foreign Host and Origin are refused', `${MCP} Transports, security warning`],
    ['Every request is authenticated; a session is its connection’s', `${MCP} Transports`],
    ['A connection without resource gets no endless 401; two Host headers are 400', 'RFC 9112 §3.2; ours'],
  ]),
  section('A', 'Authorization endpoint', [
    ['An unknown client gets a page with the next step', 'RFC 6749 §4.1.2.1'],
    ['A bad redirect URI gets a page, never a redirect', 'RFC 6749 §4.1.2.1; RFC 9700 §2.1'],
    ['Redirect URIs match as strings; loopback ports are free', 'RFC 9700 §2.1; RFC 8252 §7.3'],
    ['Known assistants’ callbacks are exact', 'SPEC §4.2; ADR 1'],
    ['Every other error goes to the redirect URI, with state and iss', 'RFC 6749 §4.1.2.1; RFC 9207'],
    ['response_type is code', 'RFC 6749 §3.1.1'],
    ['PKCE with S256 is required', 'RFC 7636 §4.3; SPEC §4.2'],
    ['A repeated parameter is refused', 'RFC 6749 §3.1; RFC 8707 §2'],
    ['Scopes: default, unknown, malformed', 'RFC 6749 §3.3; SPEC §4.2'],
    ['Resource indicators', 'RFC 8707 §2'],
    [
      'Unknown parameters are ignored; request objects are not supported',
      'RFC 6749 §3.1; OpenID Connect Core §6',
    ],
    ['Methods; HEAD changes nothing', 'RFC 9110 §9.3.2'],
    ['Headers of every page', 'RFC 9700 §4.16; CSP 3'],
    ['The redirect URI’s own query is kept', 'RFC 6749 §3.1.2'],
    ['A code: 256 random bits, ten minutes, bound to its request', 'RFC 6749 §4.1.2; SPEC §8'],
  ]),
  section('C', 'Sign-in and consent', [
    ['GET only shows the page; POST decides and needs a CSRF token', 'RFC 6749 §10.12'],
    ['Two tabs and two assistants do not disturb each other', 'fastmcp#4817'],
    ['A request is decided once, in its browser', 'RFC 9700 §4'],
    ['A denial is returned as access_denied', 'RFC 6749 §4.1.2.1'],
    ['Redirects after POST are 303', 'RFC 9700 §4.12'],
    ['No form-action in the page’s policy', 'fastmcp#3369'],
    ['The page shows the client, its scopes and the redirect host', 'RFC 6749 §10.2; RFC 9700 §4'],
    ['Consent is requested every time', 'RFC 9700 §4; MCP Security Best Practices'],
    ['Sign-in reveals nothing, is throttled and delayed, and renews the session', 'OWASP ASVS 2, 3'],
  ]),
  section('T', 'Token endpoint', [
    ['A token response', 'RFC 6749 §5.1; SPEC §2'],
    ['Errors are JSON objects', 'RFC 6749 §5.2'],
    ['Forms only, POST only, 16 KiB', 'RFC 6749 §3.2'],
    ['A repeated parameter is refused; the query is ignored', 'RFC 6749 §3.2'],
    ['grant_type', 'RFC 6749 §5.2'],
    ['An unknown client is 401 invalid_client', 'RFC 6749 §5.2; fastmcp#1762'],
    ['Missing parameters', 'RFC 6749 §4.1.3'],
    ['A code that does not match is invalid_grant', 'RFC 6749 §5.2; RFC 7636 §4.6'],
    ['A verifier has 43 to 128 unreserved characters', 'RFC 7636 §4.1'],
    ['A failed attempt consumes nothing', OURS],
    ['One of 20 parallel redemptions succeeds', 'RFC 6749 §4.1.2'],
    ['A used code presented again later ends its connection', 'RFC 6749 §4.1.2; ADR 2'],
    ['Resource at the token endpoint', 'RFC 8707 §2.2'],
    ['Scope can only narrow', 'RFC 6749 §6'],
    ['A refresh token that does not match is refused', 'RFC 6749 §6'],
    ['Rotation and reuse; one of 20 parallel refreshes succeeds', 'RFC 9700 §4.14.2; SPEC §3'],
    ['Unknown values and those of others get the same error', OURS],
    ['Rotations of one connection are limited', OURS],
  ]),
  section('V', 'Revocation', [
    ['A client revokes its own tokens; unknown ones are 200', 'RFC 7009 §2'],
    ['Revoking a refresh token ends the connection, an access token only itself', 'RFC 7009 §2.1'],
    ['After a revocation that races a refresh nothing works', 'RFC 7009 §2.1'],
  ]),
  section('G', 'Registration', [
    ['The response contains every effective value', 'RFC 7591 §3.2.1'],
    ['Redirect URIs that are refused', 'RFC 7591 §3.2.2; RFC 8252 §8'],
    ['Registrations of Cursor and VS Code are accepted', 'accounted#2225; vscode#278512'],
    ['Unsupported authentication methods and grants are replaced', 'RFC 7591 §2'],
    ['Names are cleaned, unknown members dropped, sizes bounded', 'RFC 7591 §2, §5'],
    ['Limited per address; unused registrations are deleted after a week', 'RFC 7591 §5'],
  ]),
  section('D', 'Client ID metadata documents', [
    ['A client_id may be the URL of a document', 'draft-ietf-oauth-client-id-metadata-document §3'],
    [
      'How a document is fetched and what it must contain',
      'draft-ietf-oauth-client-id-metadata-document §4, §8.6',
    ],
    ['How long a document is cached; those of known assistants ship with the service', 'RFC 9111 §4.2'],
    ['A failure is an error page, or 401 invalid_client', 'RFC 6749 §4.1.2.1, §5.2'],
  ]),
  section('X', 'MCP endpoint', [
    ['initialize', `${MCP} Lifecycle`],
    ['Responses are application/json for every Accept header', 'SPEC §4.5'],
    ['Batches, notifications, responses', `${MCP} Transports; 2025-06-18`],
    ['Envelopes and errors', 'JSON-RPC 2.0 §4, §5'],
    ['Content type and sizes', 'RFC 9110 §15.5.14, §15.5.16'],
    ['Sessions', `${MCP} Transports, session management`],
    ['MCP-Protocol-Version', '2025-06-18 Transports'],
    ['ping and cancellation', `${MCP} Utilities`],
    ['tools/list', `${MCP} Tools; 2025-06-18 Tools`],
    ['No result exceeds max_tokens', OURS],
    ['The same three tools for everybody; a pinned connection has one Safe', 'SPEC §4.6'],
    ['GET and other methods', `${MCP} Transports`],
    ['One SDK server for all connections: no response goes astray', OURS],
    ['Arguments are read as assistants send them; both forms of a result have the hints', OURS],
  ]),
  section('N', 'MCP endpoint, stateless revision', [
    ['Host, token and origin come first; probes are never 401, 403 or 5xx', `${STATELESS} Streamable HTTP`],
    ['Every request is answered by the rules of its own revision', `${STATELESS} Versioning`],
    ['A modern header without an envelope is -32602; no batches', `${STATELESS} Overview, Streamable HTTP`],
    ['Required fields of _meta', `${STATELESS} Overview`],
    ['Headers repeat the body, or the request is -32020', `${STATELESS} Streamable HTTP`],
    ['A revision that is not served is -32022', `${STATELESS} Versioning`],
    ['server/discover; methods that are not served are 404', `${STATELESS} Discovery, Streamable HTTP`],
    ['Results are complete and name the server', `${STATELESS} Overview`],
    ['Lists have a lifetime, and who may cache them', `${STATELESS} Caching, Tools`],
    ['Errors: codes, status, and the id', `${STATELESS} Overview`],
    ['Sessions, Last-Event-ID and Accept are ignored', `${STATELESS} Streamable HTTP`],
    [
      'The answer to selecting a Safe asks to name it in later calls',
      `SPEC §4.7; ${STATELESS} Overview, statelessness`,
    ],
    ['Hanging up cancels', `${STATELESS} Streamable HTTP, cancellation`],
    ['MCP Apps: svc is linked to a page only for clients that declare them', 'MCP Apps 2026-01-26'],
    ['Icons, Server Card, and the beginning of instructions', '2025-11-25 Icons; SEP-2127'],
    ['The official SDK and conformance suite agree', 'typescript-sdk 2; modelcontextprotocol/conformance'],
  ]),
  section('R', 'Documents, parts and sources', [
    ['A document is read whole, by pages or from a heading; an unknown one returns the nearest', OURS],
    ['Every passage of an answer names its document, heading and page', OURS],
    [
      'A question can be limited to folders, tags and documents; nothing outside is returned or counted',
      OURS,
    ],
    ['Documents are resources, with the access of everything else', `${MCP} Resources`],
    ['ChatGPT, and connections that switch it on, have search and fetch', 'platform.openai.com MCP guide'],
    ['Proposing is a power of the connection, given and taken by its user', OURS],
    ['Reading writes nothing but the activity', OURS],
    ['Results fit the limits of assistants; tools are found by everyday words', OURS],
    ['A Safe is named by its name or id; an unknown one returns the nearest', OURS],
    ['Assistants propose facts, notes and edits, which an owner reviews as a difference', OURS],
  ]),
  section('S', 'The whole service', [
    ['No secret in a log, URL, error or store', 'RFC 9700 §4; RFC 6750 §5.3'],
    ['Accounts never see each other’s Safes', OURS],
    ['Hostile text shows as text', 'OWASP ASVS 5'],
    ['Random requests do no harm', OURS],
  ]),
]

/** Rules are numbered by position. */
function section(letter: string, title: string, rules: [promise: string, source: string][]): Section {
  const numbered = rules.map(([promise, source], at) => ({ id: `${letter}${at + 1}`, promise, source }))
  return { letter, title, rules: numbered }
}
