import { counted } from '../../platform/common/format.js'

/** The texts of the state of the service. */
export const systemTexts = {
  title: 'System',
  lead: 'The state of this service, for its administrators.',
  state: 'State',
  version: 'Version',
  versionOf: (version: string, node: string) => `${version}, on Node ${node.replace('v', '')}`,
  started: 'Running since',
  embedded: 'Embedded database',
  answers: (ms: string) => `answers in ${ms} ms`,
  unavailable: 'unavailable',
  backup: 'Last backup',
  backups: 'Backups: make, download, restore',
  noBackups: 'BACKUP_DIR is not set',
  noBackupYet: 'none yet',
  indexes: 'Indexes in memory',
  indexMemory: (bytes: string, most: string, safes: number) =>
    `${bytes} of ${most}, ${counted('Safe', 'Safes')(safes)}`,
  activity: 'What happened to your account and your Safes',
  checks: 'Checks',
  unchecked:
    'The public address, the stores, the disk, the clock and the backups have not been checked since the start.',
  checkedAt: (time: string) => `Checked ${time}. The checks run at most once a minute.`,
  check: 'Run the checks',
  safes: 'Storage by Safe',
  safesText: 'Names are shown for Safes that you are a member of.',
  indexFile: (bytes: string | null) => (bytes === null ? 'no index file' : `${bytes} index file`),
  settings: 'Current settings',
  settingsText: 'As the server read them when it started. Secrets are not shown.',
  from: { default: 'default', environment: 'environment' } as Record<string, string>,
  fromFile: (variable: string) => `file of ${variable}`,
  empty: '(empty)',
}
