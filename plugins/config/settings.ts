import { readFileSync } from 'node:fs'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ADDRESS_SETTINGS } from './address.js'
import { ASSISTANT_SETTINGS } from './assistants.js'
import { BACKUP_SETTINGS } from './backups.js'
import { MAIL_SETTINGS } from './mail.js'
import { MONITORING_SETTINGS } from './monitoring.js'
import { SIGN_IN_SETTINGS } from './sign-in.js'
import { STORAGE_SETTINGS } from './storage.js'

/** All settings, in the order of docs/settings.md. Their names are environment variables. */
export const SettingsSchema = Type.Object({
  ...ADDRESS_SETTINGS,
  ...STORAGE_SETTINGS,
  ...SIGN_IN_SETTINGS,
  ...ASSISTANT_SETTINGS,
  ...BACKUP_SETTINGS,
  ...MAIL_SETTINGS,
  ...MONITORING_SETTINGS,
})

export type Settings = Static<typeof SettingsSchema>
export type SettingName = keyof Settings

/** Variables by their names, such as `process.env`. */
export type Environment = Record<string, string | undefined>

/** An invalid setting. The message names the variable and the expected value. */
export class ConfigError extends Error {}

/**
 * The text of a setting, undefined if it is not set. `NAME_FILE` may name a file with the value of a secret.
 * @throws ConfigError when that file cannot be read
 */
export function readSetting(env: Environment, name: string, schema: TSchema): string | undefined {
  const file = env[`${name}_FILE`]
  if (!schema.secret || env[name] || !file) return env[name]?.trim()
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`${name}_FILE should name a readable file, not ${JSON.stringify(file)}.`)
  }
}
