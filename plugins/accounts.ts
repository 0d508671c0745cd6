import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Accounts } from '../accounts/accounts.js'
import { LoginSessions } from '../accounts/login-session.js'
import { OpenIdProvider } from '../accounts/openid/provider.js'
import { type BegunSignIn, ProviderSignIn } from '../accounts/openid/provider-sign-in.js'
import { type Challenge, Passkeys } from '../accounts/passkeys/passkeys.js'
import { Passwords, type ScryptCost } from '../accounts/password.js'
import { AccountStore } from '../accounts/stores/account.sql.js'
import { InvitationStore } from '../accounts/stores/invitation.sql.js'
import { OpenIdIdentityStore } from '../accounts/stores/openid-identity.sql.js'
import { PasskeyStore } from '../accounts/stores/passkey.sql.js'
import { RedisLoginSessionStore, RedisThrottleStore } from '../accounts/stores/sign-in-state.redis.js'
import { SqlLoginSessionStore, SqlThrottleStore } from '../accounts/stores/sign-in-state.sql.js'
import { SignInThrottle } from '../accounts/throttle.js'
import type { Clock } from '../common/clock.js'
import { DomainError } from '../common/domain-error.js'
import { sealWith } from '../common/seal.js'
import { random } from '../common/secrets.js'
import { MailLimits } from '../limits/mail-limits.js'
import { NewAccountLimit } from '../limits/new-account-limit.js'
import { ConfigError } from './config/settings.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
    loginSessions: LoginSessions
    mailLimits: MailLimits
    /** Signing in at the OpenID provider of the settings, or null. */
    providerSignIn: ProviderSignIn | null
    /** Null where browsers allow no passkeys: at an IP address and without https, except on localhost. */
    passkeys: Passkeys | null
  }
}

/** Where the OpenID provider sends browsers back. */
export const CALLBACK_PATH = '/login/callback'

interface Options {
  clock: Clock
  passwordCost?: ScryptCost | undefined
}

export default fp(
  async function accountsPlugin(app: FastifyInstance, { clock, passwordCost }: Options) {
    const { database, redis } = app
    const { admin, provider: settings, baseUrl, brand } = app.config
    const store = new AccountStore(database)
    const sessionStore = redis ? new RedisLoginSessionStore(redis) : new SqlLoginSessionStore(database)
    const throttleStore = redis ? new RedisThrottleStore(redis) : new SqlThrottleStore(database)
    const throttle = new SignInThrottle(throttleStore, clock)
    const accounts = new Accounts({
      store,
      invitations: new InvitationStore(database),
      throttle,
      hashes: new Passwords(random, passwordCost),
      newAccountLimit: new NewAccountLimit(throttleStore, clock),
      activity: app.activity,
      brand,
      providerDecides: settings !== null && settings.domains.length + settings.groups.length > 0,
      clock,
      random,
    })
    if (admin) await addFirst(accounts, admin)
    app.decorate('accounts', accounts)
    app.decorate('mailLimits', new MailLimits(throttleStore, clock))
    app.decorate('loginSessions', new LoginSessions(sessionStore, store, clock, random))
    const failed = (what: string) => (err: Error) => app.log.info({ err }, `${what} failed`)
    app.decorate(
      'passkeys',
      allowsPasskeys(baseUrl)
        ? new Passkeys({
            store: new PasskeyStore(database),
            accounts,
            seal: sealWith<Challenge>(app.keyFor('passkey'), random),
            throttle,
            used: throttleStore,
            activity: app.activity,
            origin: baseUrl,
            brand,
            onFailure: failed('passkey'),
            clock,
          })
        : null,
    )
    const onFailure = failed('sign-in at the OpenID provider')
    const redirectUri = `${baseUrl}${CALLBACK_PATH}`
    const provider = settings && new OpenIdProvider({ settings, redirectUri, clock, random, onFailure })
    app.decorate(
      'providerSignIn',
      provider &&
        new ProviderSignIn({
          provider,
          store: new OpenIdIdentityStore(database),
          seal: sealWith<BegunSignIn>(app.keyFor('provider-sign-in'), random),
          throttle,
          completed: throttleStore,
          activity: app.activity,
          accounts,
          clock,
          random,
        }),
    )
  },
  { name: 'accounts', dependencies: ['database', 'redis', 'activity', 'service-key'] },
)

/** @throws ConfigError when the password is one that nobody should choose */
async function addFirst(accounts: Accounts, { email, password }: { email: string; password: string }) {
  try {
    await accounts.addFirst(email, password)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw new ConfigError(`ADMIN_EMAIL and ADMIN_PASSWORD cannot create the first account. ${error.message}`)
  }
}

/** The id of a relying party is a domain in a secure context (WebAuthn §5.1.2). */
function allowsPasskeys(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return (
    hostname === 'localhost' || (protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['))
  )
}
