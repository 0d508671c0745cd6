// A thread that verifies a backup: reading and hashing each row of it would hold up requests.
import { serve } from '../../processes/serve.js'
import { verifyBackup } from './verify-backup.js'

serve<{ job: string }>(verifyBackup)
