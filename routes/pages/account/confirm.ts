import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../../platform/common/domain-error.js'
import { accountTexts } from '../../../views/texts/account.js'
import { accountOf } from '../signed-in.js'

/**
 * Checks that the owner of the account is at the browser: with the password, or, without one, by a recent
 * sign-in.
 * @throws DomainError 400 for a wrong password, 403 if the sign-in is not recent, 429
 */
export async function confirm(request: FastifyRequest, password = '') {
  const { accounts, loginSessions } = request.server
  const { id } = accountOf(request)
  if (await accounts.passwords.has(id)) {
    if (await accounts.passwords.confirm(id, password, request.ip)) return
    throw new DomainError(400, 'wrong_password', accountTexts.wrong)
  }
  if (!(await loginSessions.isRecent(request.loginSecret)))
    throw new DomainError(403, 'sign_in_again', accountTexts.signInAgain)
}
