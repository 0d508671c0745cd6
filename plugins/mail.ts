import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { NewEntry } from '../domain/activity/entry.js'
import {
  invitationMail,
  MAILED_KINDS,
  type Notice,
  noticeMail,
  providerOnlyMail,
  resetMail,
} from '../domain/mail/compose.js'
import { Outbox } from '../domain/mail/outbox.js'
import { describeFailure, isPermanent, smtpSender } from '../domain/mail/smtp.js'

/** Lifetime of a link requested on the sign-in page. */
const REQUESTED_RESET_HOURS = 1

/** Mail to people. These methods neither wait for the mail server nor fail. */
export interface Mailing {
  /** Sends an invitation, unless the account has sent too many. */
  invite(invitation: InvitationMail): Promise<{ isSent: boolean }>
  /** Sends a link that an administrator made. */
  sendReset(to: string, token: string, hours: number): void
  /** Creates a link for the account with this address, if there is one, and sends it. */
  requestReset(email: string): void
  /** Notifies administrators that no backup has been made since `newestAt`, at most once a day. */
  warnOfBackups(newestAt: number | null): void
  /** Resolves when no mail waits. */
  idle(): Promise<void>
}

export interface InvitationMail {
  to: string
  token: string
  inviter: { id: string; email: string }
  isIntoSafe: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Null without `SMTP_URL`. */
    mail: Mailing | null
  }
}

/** Sends mail if `SMTP_URL` is set, in the server only (ADR 47). */
export default fp(
  async function mailPlugin(app: FastifyInstance) {
    const { mail: settings, brand, baseUrl } = app.config
    app.decorate('mail', null)
    if (!settings) return
    const service = { brand, baseUrl }
    const { accounts, mailLimits } = app
    const outbox = new Outbox({
      send: smtpSender({ ...settings, name: new URL(baseUrl).hostname }),
      isPermanent,
      onFailed: (error, attempt, isLast) =>
        isLast
          ? app.log.error({ ...describeFailure(error), attempt }, 'mail was not sent')
          : app.log.warn({ ...describeFailure(error), attempt }, 'mail was not sent and is tried again'),
      onDropped: dropped => app.log.warn({ dropped }, 'mail was dropped'),
    })

    const notify = (accountId: string, compose: () => Promise<Notice>) =>
      outbox.add(async () => {
        if (!(await accounts.records.wantsMail(accountId))) return null
        const account = await accounts.find(accountId)
        if (!account || !(await mailLimits.mayNotify(accountId))) return null
        return noticeMail(service, account.email, await compose())
      })
    app.activity.onRecord(entry => {
      if (MAILED_KINDS.has(entry.kind)) notify(entry.accountId, () => noticeOf(app, entry))
    })

    app.mail = {
      async invite({ inviter, ...invitation }) {
        const root = await accounts.invitations.inviterRoot(inviter.id)
        if (!(await mailLimits.mayInvite(inviter.id, root))) return { isSent: false }
        const mail = invitationMail(service, { ...invitation, inviter: inviter.email })
        outbox.add(async () => mail)
        return { isSent: true }
      },
      sendReset: (to, token, hours) =>
        outbox.add(async () => resetMail(service, { to, token, hours, isAsked: false })),
      requestReset: email =>
        outbox.add(async () => {
          const account = await accounts.findByEmail(email)
          if (!account || !(await mailLimits.mayReset(account.email))) return null
          if (await accounts.passwords.isProviderOnly(account.id))
            return providerOnlyMail(service, account.email, app.providerSignIn?.name ?? '')
          const hours = REQUESTED_RESET_HOURS
          const token = await accounts.passwords.createResetToken(account.id, hours, account.email)
          return resetMail(service, { to: account.email, token, hours, isAsked: true })
        }),
      warnOfBackups: newestAt =>
        outbox.add(async () => {
          if (!(await mailLimits.mayWarnOfBackups())) return null
          for (const { id } of await accounts.records.administrators())
            notify(id, async () => ({ kind: 'backup-overdue', newestAt }))
          return null
        }),
      idle: () => outbox.idle(),
    }
    app.addHook('onClose', () => outbox.close())
  },
  { name: 'mail', dependencies: ['config', 'accounts', 'activity', 'safes', 'oauth'] },
)

/** The content of a notification for an entry, with the names that it refers to. */
async function noticeOf({ safes, oauth }: FastifyInstance, entry: NewEntry): Promise<Notice> {
  const { kind, safeId, connectionId, detail = null } = entry
  const connection = connectionId ? await oauth.connections.find(connectionId) : null
  const client = connection && {
    name: connection.clientName,
    isVerified: connection.standing !== 'unverified',
  }
  switch (kind) {
    case 'connected':
      return { kind, client, host: detail }
    case 'refresh-reused':
      return { kind, client }
    case 'signed-in-new':
      return { kind, address: detail }
    case 'import-failed':
      return {
        kind,
        source: detail ?? '',
        safe: (safeId && (await safes.members.nameForInvitation(safeId))) || '',
        safeId: safeId ?? '',
      }
    case 'password-reset':
      return { kind }
    default:
      throw new Error(`there is no mail about ${kind}`)
  }
}
