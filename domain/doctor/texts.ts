import { counted } from '../../platform/common/format.js'

/** The texts of pages and the command line around findings. */
export const doctorTexts = {
  checks: {
    address: 'Public address',
    discovery: 'Discovery',
    notFound: 'Unknown paths',
    tokens: 'Access tokens',
    callback: 'Redirect to the assistant',
    proxy: 'Addresses of clients',
    uploads: 'Large uploads',
    https: 'Encryption',
    settings: 'Settings',
    database: 'Database',
    redis: 'Redis',
    mail: 'Mail',
    provider: 'Sign-in provider',
    openFiles: 'Open files',
    disk: 'Disk space',
    clock: 'Clock',
    backups: 'Backups',
    clients: 'Client metadata documents',
  },
  levels: { ok: 'ok', note: 'note', warning: 'warning', problem: 'problem' },
  why: 'Why it matters:',
  fix: 'What to do:',
  /** Empty if everything is fine. */
  summary: (problems: number, warnings: number) =>
    [
      problems > 0 ? counted('problem', 'problems')(problems) : '',
      warnings > 0 ? counted('warning', 'warnings')(warnings) : '',
    ]
      .filter(Boolean)
      .join(', '),
  noProblems: 'No problems found.',
  failed: (reason: string) => ({
    what: `This could not be checked: ${reason}.`,
    why: 'The other checks do not cover it.',
    fix: 'Run the checks again. If this persists, see the log of the server.',
  }),
}
