// A thread for backups: copying a file of SQLite, and hashing a million rows, would hold up requests.
import { serve } from '../../processes/serve.js'
import { makeBackup } from './make-backup.js'
import type { BackupWork } from './scheduled-backups.js'
import { verifyBackup } from './verify-backup.js'

serve<BackupWork>(({ file, make }) => (make ? makeBackup(make.from, file, make.now) : verifyBackup(file)))
