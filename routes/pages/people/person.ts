import { Type } from '@sinclair/typebox'
import type { Account } from '../../../domain/accounts/account.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { IdField, type RequestOf } from '../params.js'

/** The schema of the routes of one person. */
export const OfPerson = { params: Type.Object({ accountId: IdField() }) }

/** A request for a route of one person. */
export type PersonRequest = RequestOf<typeof OfPerson>

/** The account of the path. @throws notFound */
export async function personOf({ server, params }: PersonRequest): Promise<Account> {
  const account = await server.accounts.find(params.accountId)
  if (!account) throw notFound('account')
  return account
}
