// A thread that makes a backup: copying a file of SQLite, and hashing a million rows, would hold up requests.
import { serve } from '../../processes/serve.js'
import { makeBackup } from './make-backup.js'
import type { BackupWork } from './scheduled-backups.js'

serve<BackupWork>(({ from, file, now }) => makeBackup(from, file, now))
