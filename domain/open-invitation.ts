import { type SqlBool, sql } from 'kysely'

/**
 * The condition for a usable row of `invitations`. An invitation into a Safe is void as soon as the account that made it no
 * longer owns the Safe: otherwise, a removed owner could return with a link made before.
 */
export const isOpenInvitation = (now: number) => sql<SqlBool>`invitations.expires_at > ${now}
  and (invitations.safe_id is null or exists (
    select 1 from memberships as maker where maker.safe_id = invitations.safe_id
      and maker.account_id = invitations.invited_by and maker.role = 'owner'))`
