/** The texts of the list of people. */
export const peopleTexts = {
  title: 'People',
  lead: 'Everyone with an account on this service.',
  roles: { admin: 'administrator', member: 'member' },
  since: (time: string) => `since ${time}`,
  invite: 'Invite someone',
  inviteEmail: 'E-mail address (optional)',
  inviteHint: 'If you enter one, only that address can use the link.',
  submit: 'Create invitation link',
  you: '(you)',
  makes: { admin: 'Make administrator', member: 'Make member' },
  of: (email: string) => email,
  reset: 'Reset password',
  resetOf: (email: string) => `of ${email}`,
  resetLink: (email: string) => `Link to reset the password of ${email}`,
  resetText:
    'Send this link only to the owner of the account, to set a new password. It works once, expires after 24 hours and is not shown again.',
  remove: 'Remove…',
  removeTitle: (email: string) => `Remove ${email}?`,
  removeYes: 'Remove permanently',
  cancel: 'Cancel',
  pending: 'Pending invitations',
  link: 'Invitation link',
  linkText:
    'Send this link to the person you are inviting. It works once, expires after seven days and is not shown again.',
}
