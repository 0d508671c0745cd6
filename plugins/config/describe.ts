import { type Environment, readSetting, SettingsSchema } from './settings.js'

/** A setting in force. Secrets are withheld. */
export interface DescribedSetting {
  name: string
  value: string
  /** `default`, `environment`, or the name of the `…_FILE` variable. */
  from: string
  description: string
}

/** The current settings and their sources, without secrets, for `svc config` and the page System. */
export function describeConfig(env: Environment): DescribedSetting[] {
  return Object.entries(SettingsSchema.properties).map(([name, schema]) => {
    const set = readSetting(env, name, schema)
    return {
      name,
      value: schema.secret ? (set ? '(set)' : '') : String(set || schema.default),
      from: set ? (env[name] ? 'environment' : `${name}_FILE`) : 'default',
      description: schema.description as string,
    }
  })
}

/** All settings with their defaults as a Markdown table: `npm run -s svc -- config --markdown`. */
export function settingsTable(): string {
  const rows = describeConfig({}).map(({ name, value, description }) => {
    const standard = value.length > 60 ? '(the assistants’ own)' : value && `\`${value}\``
    return `| \`${name}\` | ${standard} | ${description} |`
  })
  return ['| Setting | Default | What it does |', '| --- | --- | --- |', ...rows].join('\n')
}
