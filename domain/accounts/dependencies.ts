import type { Clock } from '../../platform/common/clock.js'
import type { Random } from '../../platform/common/secrets.js'
import type { Activity } from '../activity/activity.js'
import type { Passwords } from './password.js'
import type { AccountStore } from './stores/account.sql.js'
import type { InvitationStore } from './stores/invitation.sql.js'
import type { NewAccountLimit, SignInThrottle } from './throttle.js'

/** The dependencies of accounts. */
export interface AccountDependencies {
  store: AccountStore
  invitations: InvitationStore
  throttle: SignInThrottle
  hashes: Passwords
  newAccountLimit: NewAccountLimit
  activity: Pick<Activity, 'record' | 'forget'>
  /** The name of the service, which is refused as a password. */
  brand: string
  /** The OpenID provider has rules for who may sign in, so accounts that it created cannot sign in differently (ADR 64). */
  providerDecides: boolean
  clock: Clock
  random: Random
}
