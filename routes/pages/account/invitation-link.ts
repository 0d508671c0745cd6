import type { FastifyInstance } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import type { OpenLink } from '../../../domain/accounts/invitations.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { accountTexts } from '../../../views/texts/account.js'

/** The purpose of a one-time link. */
export type Link = OpenLink

/** @throws DomainError 410 if there is no such link of this kind, or it has been used */
export async function findLink(
  { accounts }: FastifyInstance,
  kind: Link['purpose'],
  token: string,
): Promise<Link> {
  const link = await accounts.invitations.find(token)
  if (link?.purpose === kind) return link
  throw new DomainError(410, 'link_used', accountTexts.invite.used)
}

/** Adds the account to the Safe of the link, if it has one. Returns the path to continue at. */
export async function join({ safes }: FastifyInstance, token: string, { safe }: Link, account: Account) {
  if (!safe) return '/'
  await safes.members.join(safe.id, token, account)
  return `/safes/${safe.id}`
}
