import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Accounts } from '../domain/accounts/accounts.js'
import { LoginSessions } from '../domain/accounts/login-session.js'
import { OpenIdProvider } from '../domain/accounts/openid/provider.js'
import { type BegunSignIn, ProviderSignIn } from '../domain/accounts/openid/provider-sign-in.js'
import { type Challenge, Passkeys } from '../domain/accounts/passkeys/passkeys.js'
import { Passwords, type ScryptCost } from '../domain/accounts/password.js'
import { AccountStore } from '../domain/accounts/stores/account.sql.js'
import { InvitationStore } from '../domain/accounts/stores/invitation.sql.js'
import { OpenIdIdentityStore } from '../domain/accounts/stores/openid-identity.sql.js'
import { PasskeyStore } from '../domain/accounts/stores/passkey.sql.js'
import { RedisLoginSessionStore, RedisThrottleStore } from '../domain/accounts/stores/sign-in-state.redis.js'
import { SqlLoginSessionStore, SqlThrottleStore } from '../domain/accounts/stores/sign-in-state.sql.js'
import { NewAccountLimit, SignInThrottle } from '../domain/accounts/throttle.js'
import type { Clock } from '../platform/common/clock.js'
import { DomainError } from '../platform/common/domain-error.js'
import { sealWith } from '../platform/common/seal.js'
import { random } from '../platform/common/secrets.js'
import { MailLimits } from '../platform/limits/mail-limits.js'
import { ConfigError } from './config/settings.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
    loginSessions: LoginSessions
    mailLimits: MailLimits
    /** Sign-in at the configured OpenID provider, or null. */
    providerSignIn: ProviderSignIn | null
    /** Null if browsers do not allow passkeys: at an IP address and without https, except on localhost. */
    passkeys: Passkeys | null
  }
}

/** The callback address of the OpenID provider. */
export const CALLBACK_PATH = '/login/callback'

interface AccountsPluginOptions {
  clock: Clock
  passwordCost?: ScryptCost | undefined
}

export default fp(
  async function accountsPlugin(app: FastifyInstance, { clock, passwordCost }: AccountsPluginOptions) {
    const { database, redis } = app
    const { admin, provider: settings, baseUrl, brand } = app.config
    const store = new AccountStore(database)
    const sessionStore = redis ? new RedisLoginSessionStore(redis) : new SqlLoginSessionStore(database)
    const throttleStore = redis ? new RedisThrottleStore(redis) : new SqlThrottleStore(database, clock)
    const throttle = new SignInThrottle(throttleStore)
    const accounts = new Accounts({
      store,
      invitations: new InvitationStore(database),
      throttle,
      hashes: new Passwords(random, passwordCost),
      newAccountLimit: new NewAccountLimit(throttleStore),
      activity: app.activity,
      brand,
      providerDecides: settings !== null && settings.domains.length + settings.groups.length > 0,
      clock,
      random,
    })
    if (admin) await addFirst(accounts, admin)
    app.decorate('accounts', accounts)
    app.decorate('mailLimits', new MailLimits(throttleStore))
    app.decorate(
      'loginSessions',
      new LoginSessions({ sessions: sessionStore, accounts: store, clock, random }),
    )
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

/** @throws ConfigError if the password is too common */
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
