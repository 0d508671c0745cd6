/** The result of a form, on the page after it. */
export const flashTexts = {
  displaySaved: 'Display settings saved for this browser.',
  noteSaved: 'Note saved.',
  noteRemoved: 'Note removed.',
  versionRestored: 'Version restored.',
  added: (source: string) => `${source} was added.`,
  undone: (source: string) => `${source} was undone.`,
  discarded: (source: string) => `${source} was discarded.`,
  restored: 'Restored.',
  removed: (name: string) => `The Safe “${name}” was removed.`,
  renamed: (name: string) => `The Safe is now called “${name}”.`,
  singleValued: (relation: string, isOn: boolean) =>
    isOn
      ? `“${relation}” now has one value at a time.`
      : `“${relation}” can have several values at a time again.`,
  role: {
    owner: 'That person is now an owner of this Safe.',
    reader: 'That person is now a reader of this Safe.',
  },
  personRole: {
    admin: 'That person is now an administrator.',
    member: 'That person is no longer an administrator.',
  },
  invitationRevoked: 'The invitation was revoked.',
  left: (name: string) => `You have left “${name}”.`,
  memberRemoved: 'That person can no longer read this Safe.',
  accepted: 'The selected statements were added.',
  rejected: 'The proposal was rejected. Nothing was added.',
  ended: 'Connection ended.',
  questions: (keep: boolean) => (keep ? 'Its questions are now kept.' : 'Its questions are no longer kept.'),
  signedOut: 'That session was signed out.',
}
