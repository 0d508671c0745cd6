import type { ProviderSettings } from '../../domain/accounts/openid/provider.js'
import { isLoopbackOrigin } from '../../platform/common/origin.js'
import { type Check, list, text, type ValuesOf } from './setting.js'

/** The first account, and the provider at which people can sign in. */
export const SIGN_IN_SETTINGS = {
  ADMIN_EMAIL: text({
    description: 'Creates the first account without the set-up link; needs ADMIN_PASSWORD.',
    expected: 'an e-mail address',
  }),
  ADMIN_PASSWORD: text({
    description: 'Password of that first account; used only while there is no account.',
    expected: 'at least 12 characters',
    secret: true,
  }),
  OIDC_ISSUER: text({
    description:
      'OpenID provider at which people can sign in (docs/operation.md), such as https://accounts.google.com. Empty: none.',
    expected: 'the https address of the issuer, as in its metadata; http only on this machine',
  }),
  OIDC_CLIENT_ID: text({
    description: 'Our client id at that provider.',
    expected: 'set together with OIDC_ISSUER',
  }),
  OIDC_CLIENT_SECRET: text({
    description: 'Our client secret there.',
    expected: 'set together with OIDC_ISSUER',
    secret: true,
  }),
  OIDC_ALLOWED_DOMAINS: text({
    description:
      'Domains of the e-mail addresses that may sign in through the provider and get an account at their first sign-in. Accounts that came from it then have no other way in.',
    expected: 'domains such as example.com, separated by commas, with OIDC_ISSUER',
  }),
  OIDC_ALLOWED_GROUPS: text({
    description:
      'Groups (claim `groups`) that may sign in through the provider and get an account at their first sign-in. Accounts that came from it then have no other way in.',
    expected: 'names of groups separated by commas, with OIDC_ISSUER',
  }),
}

type Values = ValuesOf<typeof SIGN_IN_SETTINGS>
type CheckSignIn = Check<typeof SIGN_IN_SETTINGS>

export interface SignInConfig {
  admin: { email: string; password: string } | null
  /** The OpenID provider at which people can sign in, or null. */
  provider: ProviderSettings | null
}

/** Reads the settings of this topic. */
export function readSignIn(settings: Values, check: CheckSignIn): SignInConfig {
  return { admin: readAdmin(settings, check), provider: readProvider(settings, check) }
}

function readAdmin(
  { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: Values,
  check: CheckSignIn,
): SignInConfig['admin'] {
  check('ADMIN_EMAIL', (email === '' && password === '') || /^[^\s@]+@[^\s@]+$/.test(email))
  check('ADMIN_PASSWORD', email === '' || password.length >= 12)
  return email === '' ? null : { email, password }
}

function readProvider(settings: Values, check: CheckSignIn): SignInConfig['provider'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  const hasProvider = issuer !== ''
  const domains = list(settings.OIDC_ALLOWED_DOMAINS.toLowerCase())
  const groups = list(settings.OIDC_ALLOWED_GROUPS)
  check('OIDC_ISSUER', !hasProvider || isIssuer(issuer))
  check('OIDC_CLIENT_ID', (clientId !== '') === hasProvider)
  check('OIDC_CLIENT_SECRET', (clientSecret !== '') === hasProvider)
  check('OIDC_ALLOWED_DOMAINS', domains.every(isDomain) && (domains.length === 0 || hasProvider))
  check('OIDC_ALLOWED_GROUPS', groups.length === 0 || hasProvider)
  return hasProvider ? { issuer, clientId, clientSecret, domains, groups } : null
}

const isDomain = (text: string) => /^[^\s@.]+(?:\.[^\s@.]+)*$/.test(text)

/** An issuer is an https URL without query and fragment (OpenID Connect Discovery §3). */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value) || /[?#]/.test(value)) return false
  const { protocol, origin } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackOrigin(origin))
}
