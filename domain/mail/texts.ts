import { counted } from '../../platform/common/format.js'

/** The sentences of mail. */
export const mailTexts = {
  invitation: (brand: string) => `Invitation to ${brand}`,
  invited: (inviter: string, service: string) => `${inviter} invites you to ${service}.`,
  invitedToSafe: (inviter: string, service: string) =>
    `${inviter} invites you to share a Safe on ${service}.`,
  accept: 'Open this link to accept. It works once and expires after seven days:',
  unknownInviter: 'If you do not know the sender, you can ignore this message.',
  reset: (brand: string) => `Set a new password for ${brand}`,
  resetAsked: (email: string, service: string) =>
    `Somebody, probably you, asked for a new password for ${email} on ${service}.`,
  providerOnly: (email: string, service: string, provider: string) =>
    `Somebody, probably you, asked for a new password for ${email} on ${service}. This account has no password, because it signs in with ${provider}. If that does not work, ask an administrator.`,
  resetByAdmin: (email: string, service: string) =>
    `An administrator of ${service} lets you set a new password for ${email}.`,
  resetLink: (hours: number) =>
    `Open this link to set it. It works once and expires after ${counted('hour', 'hours')(hours)}:`,
  resetIgnore: 'If you did not ask for it, you can ignore this message: your password stays as it is.',
  notices: {
    connected: {
      subject: (brand: string) => `New connection to your ${brand} account`,
      text: (client: string, host: string | null) =>
        `${client} was connected to your account${host ? ` (it returns to ${host})` : ''}. If this was not you, end the connection and change your password:`,
    },
    'refresh-reused': {
      subject: (brand: string) => `A connection to your ${brand} account was ended`,
      text: (client: string) =>
        `An old key of ${client} was used again, so it may have been copied. The connection was ended. Connect again to continue:`,
    },
    'signed-in-new': {
      subject: (brand: string) => `New sign-in to your ${brand} account`,
      text: (address: string | null) =>
        `Somebody signed in to your account with a browser that has not been used before${address ? `, from ${address}` : ''}. If this was not you, change your password:`,
    },
    'import-failed': {
      subject: (brand: string) => `A file was rejected by ${brand}`,
      text: (source: string, safe: string) => `${source} could not be added to the Safe ${safe}. To see why:`,
    },
    'password-reset': {
      subject: (brand: string) => `The password of your ${brand} account was reset`,
      text: 'The password of your account was reset with a link, and all browsers were signed out. If this was not you, tell an administrator and request a new link:',
    },
    'backup-overdue': {
      subject: (brand: string) => `The backup of ${brand} is overdue`,
      text: (newest: string | null) =>
        `The backup folder (BACKUP_DIR) has ${newest ? `had no new backup since ${newest}` : 'no backup'}. See the log of the service.`,
    },
  },
  quoted: (name: string) => `“${name}”`,
  anApp: 'An app',
  why: (email: string) =>
    `You get this message because notifications by e-mail are on for ${email}. Turn them off:`,
}
