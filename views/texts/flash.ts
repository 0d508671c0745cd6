/** What a form has done, on the page after it. */
export const flashTexts = {
  noteSaved: 'The note is saved.',
  noteRemoved: 'The note is removed.',
  added: (source: string) => `${source} was added.`,
  undone: (source: string) => `${source} was undone.`,
  discarded: (source: string) => `${source} was discarded.`,
  restored: 'It is back.',
  removed: (name: string) => `The Safe “${name}” was removed.`,
  renamed: (name: string) => `The Safe is now called “${name}”.`,
  singleValued: (relation: string, isOn: boolean) =>
    isOn
      ? `“${relation}” now has one value at a time.`
      : `“${relation}” can have several values at a time again.`,
  role: { owner: 'Now an owner of this Safe.', reader: 'Now a reader of this Safe.' },
  personRole: { admin: 'Now an administrator.', member: 'No longer an administrator.' },
  invitationRevoked: 'The invitation was revoked.',
  left: (name: string) => `You have left “${name}”.`,
  memberRemoved: 'That person can no longer read this Safe.',
  accepted: 'What you ticked was added.',
  rejected: 'The proposal was rejected. Nothing was added.',
  ended: 'The connection was ended.',
  questions: (keep: boolean) =>
    keep ? 'Its questions are kept from now on.' : 'Its questions are no longer kept.',
  signedOut: 'Signed out there.',
}
