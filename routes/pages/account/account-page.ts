import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import type { ListedSession } from '../../../domain/accounts/login-session.js'
import { hostOf } from '../../../domain/accounts/openid/provider-sign-in.js'
import type { Passkey } from '../../../domain/accounts/passkeys/passkey.js'
import { showTime } from '../../../platform/common/format.js'
import { accountTexts } from '../../../views/texts/account.js'
import { browserName } from './browser-name.js'

interface SessionRow {
  browser: string
  isCurrent: boolean
  facts: string
  /** The action of its button. */
  end: string
}

interface PasskeyRow {
  name: string
  facts: string
  /** The actions of its forms. */
  rename: string
  remove: string
  /** The id of its name's field. */
  field: string
}

/** The content of the account page besides the account. */
interface AccountContent {
  changed?: boolean
  saved?: boolean
  error?: string
}

/** Shows the signed-in user's account; after a refused change, with the reason. */
export async function showAccount(
  request: FastifyRequest,
  { id }: Account,
  reply: FastifyReply,
  { changed = false, saved = false, error }: AccountContent,
) {
  const { accounts, loginSessions, mail, passkeys, providerSignIn } = request.server
  const sessions = await loginSessions.listFor(id, request.loginSecret)
  const issuers = (await providerSignIn?.issuersOf(id)) ?? []
  const hasPassword = await accounts.passwords.has(id)
  const canHavePasskeys = passkeys !== null && !(await accounts.passwords.isProviderOnly(id))
  const own = canHavePasskeys ? (await passkeys.listFor(id)).map(passkeyRow) : null
  return reply.page('account', {
    here: 'account',
    changed,
    notifications: mail && { isOn: await accounts.records.wantsMail(id), saved },
    hasPassword,
    passkeys: own,
    canRemovePassword: hasPassword && own !== null && own.length > 0,
    providers: issuers.map(issuer => ({ name: hostOf(issuer), issuer })),
    sessions: sessions.map(sessionRow),
    hasOthers: sessions.some(({ isCurrent }) => !isCurrent),
    error,
  })
}

function passkeyRow({ id, name, createdAt, lastUsedAt }: Passkey, index: number): PasskeyRow {
  const m = accountTexts
  const used = lastUsedAt === null ? m.passkeyUnused : m.passkeyUsed(showTime(lastUsedAt))
  return {
    name,
    facts: `${m.passkeyAdded(showTime(createdAt))} · ${used}`,
    rename: `/account/passkeys/${id}/rename`,
    remove: `/account/passkeys/${id}/remove`,
    field: `passkey-${index}`,
  }
}

function sessionRow({ id, userAgent, address, createdAt, lastSeenAt, isCurrent }: ListedSession): SessionRow {
  const m = accountTexts
  const facts = [address, m.signedInAt(showTime(createdAt)), m.lastSeen(showTime(lastSeenAt))]
  return {
    browser: browserName(userAgent) ?? m.unknownBrowser,
    isCurrent,
    facts: facts.filter(Boolean).join(' · '),
    end: `/account/sessions/${id}/end`,
  }
}
