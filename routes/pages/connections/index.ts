import appPages from './apps.js'
import connectionPage from './connection.js'
import connectionPowers from './connection-powers.js'
import connectionPages from './connections.js'
import recentConnectionPages from './recent-connections.js'
import revokeAllPages from './revoke-all.js'

/** Requires sign-in. */
export const CONNECTIONS_PAGES = [
  appPages,
  connectionPages,
  connectionPage,
  connectionPowers,
  revokeAllPages,
  recentConnectionPages,
]
