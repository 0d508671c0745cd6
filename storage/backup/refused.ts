/** A backup cannot be made or restored. The message is for the user. */
export class BackupRefused extends Error {}
