import { showTime } from '../../platform/common/format.js'
import { visibleText } from '../../platform/common/visible-text.js'
import type { ActivityKind } from '../activity/entry.js'
import { unverifiedName } from '../activity/unverified-name.js'
import type { Mail } from './mail.js'
import { mailTexts } from './texts.js'

/** The service, as named in mail. */
interface Service {
  brand: string
  /** Its public origin. */
  baseUrl: string
}

/** Events that users are notified of by mail, if they want it. */
type NoticeKind = keyof typeof mailTexts.notices

/** The kinds of activity among them. */
export const MAILED_KINDS: ReadonlySet<ActivityKind> = new Set(
  (Object.keys(mailTexts.notices) as NoticeKind[]).filter(kind => kind !== 'backup-overdue'),
)

/** An app: its name is self-chosen unless it is verified. */
interface MailedApp {
  name: string
  isVerified: boolean
}

/** An event, with names as people chose them. */
export type Notice =
  | { kind: 'connected'; client: MailedApp | null; host: string | null }
  | { kind: 'refresh-reused'; client: MailedApp | null }
  | { kind: 'signed-in-new'; address: string | null }
  | { kind: 'import-failed'; source: string; safe: string; safeId: string }
  | { kind: 'password-reset' }
  | { kind: 'backup-overdue'; newestAt: number | null }

const MAX_NAME_LENGTH = 80

/**
 * An invitation. It goes to a stranger, so the only text chosen by the sender is their address: a Safe's
 * name could be an advertisement.
 */
export function invitationMail(
  { brand, baseUrl }: Service,
  { to, token, inviter, isIntoSafe }: { to: string; token: string; inviter: string; isIntoSafe: boolean },
): Mail {
  const m = mailTexts
  const text = isIntoSafe ? m.invitedToSafe(inviter, baseUrl) : m.invited(inviter, baseUrl)
  const link = `${baseUrl}/invite?token=${token}`
  return {
    to,
    subject: m.invitation(brand),
    text: paragraphs(text, `${m.accept}\n${link}`, m.unknownInviter),
  }
}

/** A link to reset a password, which the account requested, or which an administrator made. */
export function resetMail(
  { brand, baseUrl }: Service,
  { to, token, hours, isAsked }: { to: string; token: string; hours: number; isAsked: boolean },
): Mail {
  const m = mailTexts
  const text = isAsked ? m.resetAsked(to, baseUrl) : m.resetByAdmin(to, baseUrl)
  const link = `${m.resetLink(hours)}\n${baseUrl}/reset?token=${token}`
  return { to, subject: m.reset(brand), text: paragraphs(text, link, m.resetIgnore) }
}

/** The reply to a request for a reset link for an account that signs in at the OpenID provider only. */
export function providerOnlyMail({ brand, baseUrl }: Service, to: string, provider: string): Mail {
  const m = mailTexts
  return {
    to,
    subject: m.reset(brand),
    text: paragraphs(m.providerOnly(to, baseUrl, provider), m.resetIgnore),
  }
}

/** A notification of an event, with how to turn it off. */
export function noticeMail({ brand, baseUrl }: Service, to: string, notice: Notice): Mail {
  const m = mailTexts
  const [text, path] = sentenceOf(notice)
  return {
    to,
    subject: m.notices[notice.kind].subject(brand),
    text: paragraphs(
      path === null ? text : `${text}\n${baseUrl}${path}`,
      `${m.why(to)}\n${baseUrl}/account#notifications`,
    ),
  }
}

/** The event, and the page to go to, if there is one. */
function sentenceOf(notice: Notice): [text: string, path: string | null] {
  const m = mailTexts.notices
  switch (notice.kind) {
    case 'connected':
      return [
        m.connected.text(clientName(notice.client), notice.host && oneLine(notice.host)),
        '/connections',
      ]
    case 'refresh-reused':
      return [m['refresh-reused'].text(clientName(notice.client)), '/start#connect']
    case 'signed-in-new':
      return [m['signed-in-new'].text(notice.address), '/account']
    case 'import-failed': {
      const { source, safe, safeId } = notice
      return [m['import-failed'].text(quoted(source), quoted(safe)), `/safes/${safeId}/files`]
    }
    case 'password-reset':
      return [m['password-reset'].text, '/login']
    case 'backup-overdue':
      return [m['backup-overdue'].text(notice.newestAt === null ? null : showTime(notice.newestAt)), null]
  }
}

function clientName(client: MailedApp | null): string {
  if (!client) return mailTexts.anApp
  return client.isVerified ? quoted(client.name) : unverifiedName(quoted(client.name))
}

const quoted = (name: string) => mailTexts.quoted(oneLine(name))

/** A name on one line, without invisible characters, and short enough to read at a glance. */
export function oneLine(name: string): string {
  const plain = visibleText(name)
  const characters = [...plain.slice(0, 4 * MAX_NAME_LENGTH)]
  return characters.length <= MAX_NAME_LENGTH ? plain : `${characters.slice(0, MAX_NAME_LENGTH).join('')}…`
}

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`
