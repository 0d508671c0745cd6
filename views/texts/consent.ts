/** The texts of the consent page. */
export const consentTexts = {
  title: (client: string, isVerified: boolean) =>
    isVerified ? `${client} wants access` : `An app calling itself "${client}" wants access`,
  callingItself: 'An app calling itself',
  wantsAccess: 'wants access',
  /** The requested access, before the host of this service. */
  wants: 'It asks to read your Safes on',
  wantsToChange: 'It asks to read and change your Safes on',
  wantsApi: 'It asks to read your Safes, as a program, through the HTTP API of',
  wantsToFill: 'It asks to read and fill your Safes, as a program, through the HTTP API of',
  verified: 'verified',
  publishedBy: (host: string) => `published by ${host}`,
  unverified: 'unverified – this app registered itself',
  known: 'known – an assistant’s own address',
  knownHost: 'Continue only if you started this connection yourself.',
  /** `when`: the time of its approval. */
  earlier: (when: string, standing: string) =>
    `You allowed this on ${when}; your choice${standing === 'unverified' ? ' of Safes is' : 's are'} filled in.`,
  unverifiable: 'unverified – any program can claim to be this app',
  returnsTo: 'Returns to',
  loopback: 'That is a program on this computer. Continue only if you started this connection yourself.',
  unknownHost: 'Continue only if you know this address and started this connection yourself.',
  signedInAs: 'Signed in as',
  switchAccount: 'Use another account',
  scopes: {
    'vault:read': 'read and search your Safes',
    'vault:write': 'change your Safes (not used yet)',
  } as Record<string, string>,
  /** The meaning of `vault:write` on a service with proposals. */
  propose: 'propose changes, which an owner of the Safe reviews first',
  /** The box of a power that every assistant can be given. */
  mayPropose: 'May propose changes, which you review first',
  /** The meaning of `vault:write` for the HTTP API. */
  fill: 'add and replace files in the Safes you choose',
  hasSearch: 'Has “search” and “fetch”',
  required: 'required',
  details: 'Details',
  andLater: ', and Safes that you create later',
  onlyOne: 'Only',
  which: 'Which Safes may it read?',
  allSafes: 'All Safes; the assistant chooses',
  search: 'Find a Safe by name',
  find: 'Find',
  notFound: 'No Safe has a name like this.',
  moreSafes: 'Show more Safes',
  firstSafes: 'Show the first Safes',
  pinned: 'It can read only this Safe:',
  noSafes: 'You have no Safes yet. It will be able to read those you create.',
  only: 'Only the Safes selected here',
  severalText:
    'If you select several Safes, it can read only these. If you select one under “All Safes”, it starts there.',
  /** For the HTTP API, which has no active Safe. */
  apiAllSafes: 'All Safes',
  apiOnlyHint: 'If you select any, it can read only these.',
  lasts: (days: number) => `It ends after ${days} days without use.`,
  endAnytime: 'You can change or end it at any time under Connections.',
  approve: 'Allow',
  deny: 'Cancel',
  noDecision: 'Choose one of the two buttons.',
  otherSession: 'You signed in again since this page was opened. Check your choice, then decide.',
  connected: 'Connected',
  canReturnTo: 'You can return to',
  returnText: 'If your browser asks whether it may open the app, allow it.',
  returnTo: 'Return to',
  closePage: 'You can then close this page.',
}
