/** The texts shown when an authorization or a choice for a connection is refused. */
export const oauthTexts = {
  unknownClient:
    'This service does not recognize the app that sent you here. In Claude or ChatGPT, remove this connector in the settings and add it again; in Cursor, VS Code and other apps, sign out of this server (or remove and add it) and connect once more.',
  badRedirectUri:
    'The app that sent you here asked to return to an address that it has not registered, so we stopped. Remove the connector in your assistant and add it again.',
  /** `problem` completes the sentence "That address …". */
  badDocument: (address: string, problem: string) =>
    `The app that sent you here is described at ${address}. That address ${problem}, so we stopped. Try again in a minute. If the problem persists, only the developers of the app can fix it.`,
  busy: (seconds: number) =>
    `Many apps are requesting access at the moment. Please try again in ${seconds} s.`,
  expired:
    'This page is no longer valid: the request has already been answered, has expired, or was opened in another browser. Go back to your assistant and connect again.',
  tooLong: 'This address is too long.',
  noScope: 'Select at least one permission, or cancel.',
  notListed: 'Choose Safes from the list.',
  noSafeToLimit: 'Select the Safes that the app may read.',
  tooManySafes: (most: number) => `Select at most ${most} Safes, or allow all of them.`,
  unreadable:
    'The app requests a Safe that this account cannot open. Sign in with another account, or connect to another address.',
  noSafeLeft: 'Keep at least one Safe, or end the connection.',
  /** The reason why a connection ended. Stored with the connection. */
  revocationReasons: {
    byUser: 'You disconnected it.',
    byClient: 'The app signed out.',
    claimed:
      'It was created before the e-mail address of the account was verified. Connect again to continue.',
    codeReplayed: 'Its sign-in code was used twice, so it may have been copied. Connect again to continue.',
    refreshReused:
      'An old key of this connection was used again, so it may have been copied. Connect again to continue.',
    expired: 'It expired. Connect again to continue.',
  },
}
