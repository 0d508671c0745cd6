import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../../../plugins/views.js'
import { accountTexts } from '../../../views/texts/account.js'
import type { Link } from './invitation-link.js'

interface SignUpPage extends Page {
  words: { title: string; lead: string; submit: string }
  action: string
  token: string
  email: string
  /** The invitation is for this address only. */
  fixedEmail: boolean
  /** The Safe that the link also gives access to, or null. */
  safe: { text: string; role: string } | null
  /** The button that leads to the OpenID provider, or null. */
  provider: string | null
  /** People without an account can create one. */
  admitsNew: boolean
  /** The account that can join the Safe right away, or null. */
  signedInAs: string | null
}

/** Shows the form of a link; after a refused form, with the reason. */
export async function showSignUp(
  request: FastifyRequest,
  { link, token }: { link: Link; token: string },
  reply: FastifyReply,
  again: { email?: string; error?: string },
) {
  const { server } = request
  const kind = link.purpose === 'setup' ? 'setup' : 'invite'
  return reply.page<SignUpPage>('sign-up', {
    words: accountTexts[kind],
    action: `/${kind}`,
    token,
    fixedEmail: link.email !== null,
    email: link.email ?? '',
    safe: await safeOf(server, link),
    admitsNew: link.admitsNew,
    provider: server.providerSignIn && accountTexts.login.provider(server.providerSignIn.name),
    signedInAs: link.safe ? (request.account?.email ?? null) : null,
    ...again,
  })
}

async function safeOf(
  { safes, accounts }: FastifyInstance,
  { safe, invitedBy }: Link,
): Promise<SignUpPage['safe']> {
  const name = safe && (await safes.members.nameForInvitation(safe.id))
  if (!safe || name === null) return null
  const inviter = invitedBy === null ? null : await accounts.find(invitedBy)
  const { intoSafe, asRole } = accountTexts.invite
  return { text: intoSafe(name, inviter?.email ?? null), role: asRole[safe.role] }
}
