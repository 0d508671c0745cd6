import { Type } from '@sinclair/typebox'
import { isOrigin } from './address.js'
import { type Check, list, text, type ValuesOf } from './setting.js'

/** Settings for assistants: the service's name, which of them may connect, and their permissions. */
export const ASSISTANT_SETTINGS = {
  BRAND: Type.String({
    default: 'svc',
    pattern: '^[a-z][a-z0-9]{0,15}$',
    description: 'The word in tool names and token prefixes (svc_list_safes, svc_at_…) and page titles.',
    expected: '1 to 16 lower-case letters and digits, starting with a letter',
  }),
  ALLOWED_ORIGINS: text({
    description: 'Browser origins, besides our own and loopback, that may call MCP and the HTTP API.',
    expected: 'origins separated by commas',
  }),
  KNOWN_REDIRECT_URIS: text(
    {
      description:
        'Callbacks of known assistants, accepted from any registered client. `{id}` matches one path segment or value. Those of installed apps have their scheme, such as `app://callback`.',
      expected: 'URIs with https or the scheme of an app, separated by commas',
    },
    'https://claude.ai/api/mcp/auth_callback,https://claude.com/api/mcp/auth_callback,https://chatgpt.com/connector_platform_oauth_redirect,https://chatgpt.com/connector/oauth/{id},warp://mcp/oauth2callback?server_id={id}',
  ),
  REFRESH_REUSE_GRACE_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 300,
    description: 'Within this time a repeated refresh gets the same new pair. 60 is good for hosted Claude.',
    expected: 'a whole number of seconds from 0 to 300',
  }),
  CALLS_PER_SECOND: Type.Integer({
    default: 50,
    minimum: 0,
    maximum: 1_000_000,
    description:
      'MCP and API requests that one connection may make at each process; ten times as many at once. 0: no limit, also for refreshes.',
    expected: 'a whole number from 0 to 1000000',
  }),
  PROPOSALS: Type.Union([Type.Literal('on'), Type.Literal('off'), Type.Literal('inbox')], {
    default: 'on',
    description:
      'Lets people allow assistants to propose facts, which an owner reviews before they are added (docs/decisions/0053). `inbox` means `on`.',
    expected: 'on or off',
  }),
  ACTIVITY_DAYS: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 90,
    description:
      'How long the activity of assistants and people is kept (docs/decisions/0043). 0: nothing is recorded.',
    expected: 'a whole number of days from 0 to 90',
  }),
}

export interface AssistantConfig {
  brand: string
  allowedOrigins: readonly string[]
  knownRedirectUris: readonly string[]
  refreshReuseGraceSeconds: number
  /** 0: no limit. */
  callsPerSecond: number
  hasProposals: boolean
  /** 0: no activity is recorded. */
  activityDays: number
}

/** Reads the settings of this topic. */
export function readAssistants(
  settings: ValuesOf<typeof ASSISTANT_SETTINGS>,
  check: Check<typeof ASSISTANT_SETTINGS>,
): AssistantConfig {
  const allowedOrigins = list(settings.ALLOWED_ORIGINS)
  const knownRedirectUris = list(settings.KNOWN_REDIRECT_URIS)
  check('ALLOWED_ORIGINS', allowedOrigins.every(isOrigin))
  check('KNOWN_REDIRECT_URIS', knownRedirectUris.every(isCallback))
  return {
    brand: settings.BRAND,
    allowedOrigins,
    knownRedirectUris,
    refreshReuseGraceSeconds: settings.REFRESH_REUSE_GRACE_SECONDS,
    callsPerSecond: settings.CALLS_PER_SECOND,
    hasProposals: settings.PROPOSALS !== 'off',
    activityDays: settings.ACTIVITY_DAYS,
  }
}

/** https, or the scheme of an installed app: never one that a browser would execute or read from disk. */
const isCallback = (uri: string) =>
  /^(?!http:|javascript:|data:|file:|blob:|vbscript:|about:)[a-z][a-z0-9+.-]*:\/\/[^\s#]+$/.test(uri)
