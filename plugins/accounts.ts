import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Accounts } from '../accounts/accounts.js'
import { LoginSessions } from '../accounts/login-session.js'
import { MailLimits } from '../accounts/mail-limits.js'
import { Passwords, type ScryptCost } from '../accounts/password.js'
import { AccountStore } from '../accounts/stores/account.sql.js'
import { RedisLoginSessionStore, RedisThrottleStore } from '../accounts/stores/sign-in-state.redis.js'
import { SqlLoginSessionStore, SqlThrottleStore } from '../accounts/stores/sign-in-state.sql.js'
import { SignInThrottle } from '../accounts/throttle.js'
import type { Clock } from '../common/clock.js'
import { DomainError } from '../common/domain-error.js'
import { random } from '../common/secrets.js'
import { ConfigError } from './config.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
    loginSessions: LoginSessions
    mailLimits: MailLimits
  }
}

interface Options {
  clock: Clock
  passwordCost?: ScryptCost | undefined
}

export default fp(
  async function accountsPlugin(app: FastifyInstance, { clock, passwordCost }: Options) {
    const { database, redis } = app
    const store = new AccountStore(database)
    const sessionStore = redis ? new RedisLoginSessionStore(redis) : new SqlLoginSessionStore(database)
    const throttleStore = redis ? new RedisThrottleStore(redis) : new SqlThrottleStore(database)
    const accounts = new Accounts({
      store,
      throttle: new SignInThrottle(throttleStore, clock),
      passwords: new Passwords(random, passwordCost),
      activity: app.activity,
      brand: app.config.brand,
      clock,
      random,
    })
    const { admin } = app.config
    if (admin) await addFirst(accounts, admin)
    app.decorate('accounts', accounts)
    app.decorate('mailLimits', new MailLimits(throttleStore, clock))
    app.decorate('loginSessions', new LoginSessions(sessionStore, store, clock, random))
  },
  { name: 'accounts', dependencies: ['database', 'redis', 'activity'] },
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
