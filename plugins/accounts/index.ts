import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../clock.js'
import { random } from '../secret.js'
import type { Accounts, LoginSessions } from './account.js'
import { StoredLoginSessions } from './login-session.js'
import { Passwords, type ScryptCost } from './password.js'
import { RedisLoginSessionStore, RedisThrottleStore } from './redis-state-store.js'
import { SqlAccountStore } from './sql-account-store.js'
import { SqlLoginSessionStore, SqlThrottleStore } from './sql-state-store.js'
import { StoredAccounts } from './stored-accounts.js'
import { SignInThrottle } from './throttle.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
    loginSessions: LoginSessions
  }
}

interface Options {
  clock: Clock
  passwordCost?: ScryptCost | undefined
}

export default fp(
  async function accountsPlugin(app: FastifyInstance, { clock, passwordCost }: Options) {
    const { database, redis } = app
    const store = new SqlAccountStore(database)
    const sessionStore = redis ? new RedisLoginSessionStore(redis) : new SqlLoginSessionStore(database)
    const throttleStore = redis ? new RedisThrottleStore(redis) : new SqlThrottleStore(database)
    const accounts = new StoredAccounts({
      store,
      throttle: new SignInThrottle(throttleStore, clock),
      passwords: new Passwords(random, passwordCost),
      clock,
      random,
    })
    const { admin } = app.config
    if (admin) await accounts.addFirst(admin.email, admin.password)
    app.decorate<Accounts>('accounts', accounts)
    app.decorate<LoginSessions>('loginSessions', new StoredLoginSessions(sessionStore, store, clock, random))
  },
  { name: 'accounts', dependencies: ['database', 'redis'] },
)
