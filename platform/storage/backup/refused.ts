import { DomainError } from '../../common/domain-error.js'

/** A backup cannot be made or restored. The message is for the user. */
export class BackupRefused extends DomainError {
  constructor(message: string) {
    super(409, 'backup_refused', message)
  }
}
