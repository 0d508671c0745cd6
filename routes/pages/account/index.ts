import accountPages from './account.js'
import accountRemovalPages from './account-removal.js'
import displayPages from './display.js'
import passkeyPages from './passkeys.js'
import programPages from './programs.js'

/** For people who have signed in. */
export const ACCOUNT_PAGES = [accountPages, accountRemovalPages, displayPages, passkeyPages, programPages]
