import { newId } from '../../platform/common/secrets.js'
import { readEmail, readNewPassword } from './credentials.js'
import type { AccountDependencies } from './dependencies.js'
import type { Sender } from './queue.js'
import type { NewAccount } from './stores/types.js'

/** The details of a new account besides its address and password. */
export type Granted = Pick<NewAccount, 'role' | 'isEmailProven' | 'invitedRoot'>

/** For an account that the OpenID provider creates. */
export const FROM_PROVIDER = { isEmailProven: true, isProviderOnly: true } as const

type Hashing = Pick<AccountDependencies, 'hashes' | 'brand'>

/** @throws DomainError 400 for an invalid e-mail, or a password that `readNewPassword` refuses */
export async function newAccount(
  dependencies: Hashing & Pick<AccountDependencies, 'clock' | 'random'>,
  email: string,
  password: string,
  granted: Granted,
  sender?: Sender,
): Promise<NewAccount> {
  return {
    ...granted,
    id: newId(dependencies.random),
    email: readEmail(email),
    passwordHash: await hashNew(dependencies, password, email, sender),
    createdAt: dependencies.clock(),
  }
}

/** @throws DomainError 400 for a password that `readNewPassword` refuses */
export async function hashNew(
  { hashes, brand }: Hashing,
  password: string,
  email: string,
  sender?: Sender,
): Promise<string> {
  return hashes.hash(await readNewPassword(password, { email, brand }), sender)
}
