import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type AddressConfig, readAddress } from './config/address.js'
import { type AssistantConfig, readAssistants } from './config/assistants.js'
import { type BackupConfig, readBackups } from './config/backups.js'
import { type DescribedSetting, describeConfig } from './config/describe.js'
import { type MailConfig, readMail } from './config/mail.js'
import { type MonitoringConfig, readMonitoring } from './config/monitoring.js'
import {
  ConfigError,
  type Environment,
  readSetting,
  type SettingName,
  type Settings,
  SettingsSchema,
} from './config/settings.js'
import { readSignIn, type SignInConfig } from './config/sign-in.js'
import { readStorage, type StorageConfig } from './config/storage.js'
import { unknownSettings } from './config/unknown-settings.js'

/** The settings, parsed, validated and complete. Each topic has a file in `config/`. */
export interface Config
  extends AddressConfig,
    StorageConfig,
    SignInConfig,
    AssistantConfig,
    BackupConfig,
    MailConfig,
    MonitoringConfig {
  /** All settings as shown to administrators. */
  described: readonly DescribedSetting[]
  /** A sentence for each variable that looks like a setting but is unknown. */
  unknown: readonly string[]
}

/**
 * Reads the settings from an environment.
 * @throws ConfigError naming every invalid variable, one per line
 */
export function loadConfig(env: Environment): Config {
  const raw: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(SettingsSchema.properties)) {
    const value = readSetting(env, name, schema)
    if (value !== undefined && value !== '') raw[name] = Value.Convert(schema, value)
  }
  const settings = Value.Default(SettingsSchema, raw) as Settings
  const invalid = new Map<SettingName, string>()
  for (const { path } of Value.Errors(SettingsSchema, settings)) invalid.set(path.slice(1) as SettingName, '')
  const check = (name: SettingName, isValid: boolean, reason = '') => {
    if (!isValid) invalid.set(name, reason)
  }
  const config = {
    ...readAddress(settings, check),
    ...readStorage(settings, check),
    ...readSignIn(settings, check),
    ...readAssistants(settings, check),
    ...readBackups(settings, check),
    ...readMail(settings, check),
    ...readMonitoring(settings, check),
    described: describeConfig(env),
    unknown: unknownSettings(env),
  }
  if (invalid.size > 0)
    throw new ConfigError([...invalid].map(([name, reason]) => refusal(name, reason)).join('\n'))
  return config
}

function refusal(name: SettingName, reason: string): string {
  return `${name} should be ${SettingsSchema.properties[name].expected}. ${reason}`.trim()
}

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
  }
}

export default fp(
  async function configPlugin(app: FastifyInstance, options: { config: Config }) {
    app.decorate('config', options.config)
  },
  { name: 'config' },
)
