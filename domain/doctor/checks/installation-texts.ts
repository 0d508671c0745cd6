import { counted } from '../../../platform/common/format.js'

/** Findings about settings, stores, disks and other services. */
export const installationTexts = {
  database: (setting: string, reason: string) => ({
    what: `The database cannot be used: ${reason}`,
    why: 'It contains all accounts, Safes and connections.',
    fix: `Check ${setting}, and that the database runs and accepts connections from this machine.`,
  }),
  noInstallation: (folder: string) => ({
    what: `There is no installation in ${folder}.`,
    why: 'It contains all accounts, Safes and connections.',
    fix: 'If it is elsewhere, set DATA_DIR. To make one here, run svc start.',
  }),
  settings: (sentence: string) => ({
    what: sentence,
    why: 'It has no effect, and the default applies.',
    fix: 'Correct or remove it, and restart the server.',
  }),
  mail: {
    refuses: (server: string, reason: string) => ({
      what: `The mail server ${server} cannot be used: ${reason}.`,
      why: 'Reset links, invitations and notifications are not delivered.',
      fix: 'Check SMTP_URL, and that this machine may connect to its port.',
    }),
    password: (server: string) => ({
      what: `The mail server ${server} refuses the user or the password.`,
      why: 'Reset links, invitations and notifications are not delivered.',
      fix: 'Correct SMTP_URL. Some providers require an app password.',
    }),
    sender: (server: string, sender: string, reason: string) => ({
      what: `The mail server ${server} refuses the sender ${sender}: ${reason}.`,
      why: 'Reset links, invitations and notifications are not delivered.',
      fix: 'Set MAIL_FROM to an address that this user may send from.',
    }),
    recipient: (server: string, to: string, reason: string) => ({
      what: `The mail server ${server} refuses ${to}: ${reason}.`,
      why: 'Messages to this address are not delivered.',
      fix: 'Check the address, and whether the server may send to other domains (relaying).',
    }),
    none: {
      what: 'No message was sent: SMTP_URL is not set.',
      why: 'The service sends no mail.',
      fix: 'Set SMTP_URL and MAIL_FROM.',
    },
    test: {
      subject: 'A test',
      text: (baseUrl: string) => `This is a test message of svc doctor for ${baseUrl}. Mail works.`,
    },
  },
  provider: (issuer: string, reason: string) => ({
    what: `The sign-in provider ${issuer} cannot be used: ${reason}.`,
    why: 'Nobody can sign in through it.',
    fix: 'Set OIDC_ISSUER to exactly the issuer in the metadata at OIDC_ISSUER/.well-known/openid-configuration.',
  }),
  openFiles: (limit: number) => ({
    what: `This process can open only ${limit} files.`,
    why: 'Each connection uses one. At the limit, nobody can connect.',
    fix: 'Allow at least 1,024: ulimit -n 65536 in the shell that starts the server, or LimitNOFILE=65536 in its systemd unit.',
  }),
  readOnly: {
    what: 'Postgres is read-only.',
    why: 'Nobody can sign in, and nothing can be added: each write is answered with 503.',
    fix: 'It is a standby: set DATABASE_URL to the primary, or to all servers: postgres://user@first,second/name. Otherwise look at default_transaction_read_only, and whether its disk is full.',
  },
  pooler: {
    session: {
      what: 'Postgres is reached through a pooler in session mode.',
      why: 'Each process holds up to 12 sessions of the pool.',
      fix: 'Nothing, if the pool has 12 sessions per process. Transaction mode needs fewer.',
    },
    transaction: {
      what: 'Postgres is reached through a pooler in transaction mode.',
      why: 'Statements are parsed each time, and those that take too long are cancelled by the service instead of Postgres.',
      fix: 'Nothing. For svc restore, set DATABASE_URL to the direct address.',
    },
  },
  redis: {
    unavailable: (reason: string) => ({
      what: `Redis does not answer: ${reason}`,
      why: 'It holds tokens and sessions. Until it answers, every request that needs one gets 503.',
      fix: 'Start Redis, and check REDIS_URL.',
    }),
    password: {
      what: 'Redis refuses the password.',
      why: 'It holds tokens and sessions, so every request that needs one gets 503.',
      fix: 'Correct the user and the password in REDIS_URL.',
    },
    snapshotsOnly: {
      what: 'Redis writes snapshots, but no append-only file.',
      why: 'After a restart, its data is minutes old: new connections are lost, and revoked ones work again.',
      fix: 'redis-cli CONFIG SET appendonly yes, and appendonly yes in redis.conf.',
    },
    noFile: {
      what: 'Redis does not save to disk.',
      why: 'After a restart everybody signs in again, and every assistant asks for approval again.',
      fix: 'redis-cli CONFIG SET appendonly yes, and appendonly yes in redis.conf.',
    },
    fileFails: {
      what: 'Redis cannot write its append-only file.',
      why: 'It refuses writes, so nobody can sign in.',
      fix: 'Free space on the disk of Redis. redis-cli INFO persistence shows aof_last_write_status:ok afterwards.',
    },
    keysBeginWith: (id: string) => ({
      what: `The keys of this installation in Redis begin with ${id}.`,
      why: 'Other installations on the same Redis have other ids and accept none of its tokens and sessions. A restore or a move draws a new id.',
      fix: 'Nothing. Keys that begin with an earlier id expire.',
    }),
    evicts: (policy: string) => ({
      what: `Redis may remove keys when its memory is full (maxmemory-policy ${policy}).`,
      why: 'Tokens that are valid for 90 days disappear, and their assistants have to be connected again.',
      fix: 'redis-cli CONFIG SET maxmemory-policy noeviction, and the same in redis.conf.',
    }),
  },
  disk: {
    missing: (folder: string, reason: string) => ({
      what: `The folder ${folder} cannot be used: ${reason}.`,
      why: 'Nothing can be written there.',
      fix: 'Create it for the user of the service, or correct DATA_DIR or BACKUP_DIR.',
    }),
    full: (folder: string, free: string) => ({
      what: `The disk of ${folder} is full: ${free} left.`,
      why: 'Writes fail with 503. Nobody can sign in, and no token can be renewed.',
      fix: 'Free space or enlarge the disk. The service recovers without a restart.',
    }),
    low: (folder: string, free: string) => ({
      what: `The disk of ${folder} is almost full: ${free} left.`,
      why: 'Imports need room, and an update first makes a backup as large as the database.',
      fix: 'Free space or enlarge the disk.',
    }),
  },
  clock: {
    of: { postgres: 'Postgres', redis: 'Redis', address: 'the public address' },
    differs: (of: string, seconds: number) => ({
      what: `The clock of this machine is ${counted('second', 'seconds')(Math.abs(seconds))} ${seconds > 0 ? 'behind' : 'ahead of'} that of ${of}.`,
      why: 'Codes, tokens and sessions expire too early or too late.',
      fix: 'Let both machines set their clocks by NTP: timedatectl set-ntp true.',
    }),
  },
  backups: {
    off: {
      what: 'Automatic backups are off.',
      why: 'A broken disk or a mistake can destroy everything.',
      fix: 'Set BACKUP_DIR to a folder on another disk, or run svc backup regularly.',
    },
    none: (folder: string) => ({
      what: `There is no backup in ${folder}.`,
      why: 'A broken disk or a mistake can destroy everything.',
      fix: 'Look for “backup failed” in the log of the server, and check that it may write to BACKUP_DIR.',
    }),
    old: (file: string, time: string) => ({
      what: `The latest backup, ${file}, is from ${time}.`,
      why: 'Everything added since would be lost.',
      fix: 'Look for “backup failed” in the log of the server, and check that it runs and has room in BACKUP_DIR.',
    }),
    unreadable: (folder: string, reason: string) => ({
      what: `Backups cannot be made in ${folder}: ${reason}.`,
      why: 'A broken disk or a mistake can destroy everything.',
      fix: 'Create the folder for the user of the service, or correct BACKUP_DIR.',
    }),
    bucket: (bucket: string, reason: string) => ({
      what: `Backups cannot be copied to ${bucket}: ${reason.replace(/\.$/, '')}.`,
      why: 'Backups that are only on this machine are lost with it.',
      fix: 'Correct BACKUP_S3_URL, BACKUP_S3_REGION and the two keys. The key must be able to list, read, write and delete in the bucket.',
    }),
    notCopied: (name: string, bucket: string) => ({
      what: `The latest backup, ${name}, is not in ${bucket}.`,
      why: 'Backups that are only on this machine are lost with it.',
      fix: 'Look for “backup not copied” in the log of the server. The key must be able to write and delete in the bucket.',
    }),
  },
  /** `problem` completes the sentence "The document …". */
  clients: (name: string, id: string, problem: string) => ({
    what: `The metadata document of ${name} at ${id} ${problem}.`,
    why: 'Connected assistants keep working. New sign-ins use the last copy for up to 30 days, then fail.',
    fix: 'Allow the service to reach this address (port 443, DNS). If the document itself is wrong, only the developers of the assistant can fix it.',
  }),
}
