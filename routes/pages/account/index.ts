import accountPages from './account.js'
import accountRemovalPages from './account-removal.js'
import displayPages from './display.js'
import passkeyPages from './passkeys.js'
import programPages from './programs.js'

/** Requires sign-in. */
export const ACCOUNT_PAGES = [accountPages, accountRemovalPages, displayPages, passkeyPages, programPages]
