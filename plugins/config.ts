import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { ProviderSettings } from '../accounts/openid/provider.js'
import { isLoopbackOrigin } from '../common/origin.js'
import {
  type MailFrom,
  parseMailFrom,
  parseSmtpUrl,
  SMTP_URL_FORMS,
  type SmtpServer,
} from '../mail/smtp-url.js'
import type { Schedule } from '../storage/backup/scheduled-backups.js'
import { parseRedisUrl, REDIS_URL_FORMS } from '../storage/redis/redis-url.js'

/** Describes a setting to its user; `expected` completes the sentence "NAME should be …". */
interface SettingHelp {
  description: string
  expected: string
  secret?: true
}

const text = (help: SettingHelp, defaultValue = '') => Type.String({ default: defaultValue, ...help })

/** All settings, in the order of docs/settings.md. Their names are environment variables. */
export const SettingsSchema = Type.Object({
  BASE_URL: text({
    description: 'Public address of the service, without a trailing slash. Default: http://localhost:PORT.',
    expected: 'an http(s) origin such as https://safes.example.com, with no path, query or fragment',
  }),
  HOST: text({ description: 'Address to listen on.', expected: 'a host name or an IP address' }, '127.0.0.1'),
  PORT: Type.Integer({
    default: 3000,
    minimum: 1,
    maximum: 65535,
    description: 'Port to listen on.',
    expected: 'a port number from 1 to 65535',
  }),
  DATA_DIR: text(
    {
      description: 'Folder of the embedded database and of index files.',
      expected: 'a writable folder',
    },
    'data',
  ),
  DATABASE_URL: text({
    description:
      'Postgres for accounts, Safes and connections, shared by any number of processes (docs/scaling.md). Empty: the embedded database.',
    expected: 'postgres://user:password@host:port/database',
    secret: true,
  }),
  INDEX_CACHE_MB: Type.Integer({
    default: 512,
    minimum: 1,
    maximum: 65_536,
    description:
      'Memory for the indexes of Safes. A larger Safe is read from its file for every question (docs/decisions/0017).',
    expected: 'a whole number of megabytes from 1 to 65536',
  }),
  REDIS_URL: text({
    description:
      'Redis for codes, tokens, sessions and rate limits: one server, Sentinel or Cluster. Empty: the embedded database holds them.',
    expected: REDIS_URL_FORMS,
    secret: true,
  }),
  ADMIN_EMAIL: text({
    description: 'Creates the first account without the set-up link; needs ADMIN_PASSWORD.',
    expected: 'an e-mail address',
  }),
  ADMIN_PASSWORD: text({
    description: 'Password of that first account; used only while there is no account.',
    expected: 'at least 12 characters',
    secret: true,
  }),
  OIDC_ISSUER: text({
    description:
      'OpenID provider at which people can sign in (docs/operation.md), such as https://accounts.google.com. Empty: none.',
    expected: 'the https address of the issuer, as in its metadata; http only on this machine',
  }),
  OIDC_CLIENT_ID: text({
    description: 'Our client id at that provider.',
    expected: 'set together with OIDC_ISSUER',
  }),
  OIDC_CLIENT_SECRET: text({
    description: 'Our client secret there.',
    expected: 'set together with OIDC_ISSUER',
    secret: true,
  }),
  OIDC_ALLOWED_DOMAINS: text({
    description:
      'Domains of the e-mail addresses that may sign in through the provider and get an account at their first sign-in. Accounts that came from it then have no other way in.',
    expected: 'domains such as example.com, separated by commas, with OIDC_ISSUER',
  }),
  OIDC_ALLOWED_GROUPS: text({
    description:
      'Groups (claim `groups`) that may sign in through the provider and get an account at their first sign-in. Accounts that came from it then have no other way in.',
    expected: 'names of groups separated by commas, with OIDC_ISSUER',
  }),
  BRAND: Type.String({
    default: 'svc',
    pattern: '^[a-z][a-z0-9]{0,15}$',
    description: 'The word in tool names and token prefixes (svc_list_safes, svc_at_…) and page titles.',
    expected: '1 to 16 lower-case letters and digits, starting with a letter',
  }),
  ALLOWED_ORIGINS: text({
    description: 'Browser origins, besides our own and loopback, that may call MCP and the HTTP API.',
    expected: 'origins separated by commas',
  }),
  KNOWN_REDIRECT_URIS: text(
    {
      description:
        'Callbacks of known assistants, accepted from any registered client. `{id}` stands for one path segment or value. Those of installed apps have their scheme, such as `app://callback`.',
      expected: 'URIs with https or the scheme of an app, separated by commas',
    },
    'https://claude.ai/api/mcp/auth_callback,https://claude.com/api/mcp/auth_callback,https://chatgpt.com/connector_platform_oauth_redirect,https://chatgpt.com/connector/oauth/{id},warp://mcp/oauth2callback?server_id={id}',
  ),
  REFRESH_REUSE_GRACE_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 300,
    description: 'Within this time a repeated refresh gets the same new pair. 60 is good for hosted Claude.',
    expected: 'a whole number of seconds from 0 to 300',
  }),
  CALLS_PER_SECOND: Type.Integer({
    default: 50,
    minimum: 0,
    maximum: 1_000_000,
    description:
      'MCP and API requests that one connection may make at each process; ten times as many at once. 0: no limit, also for refreshes.',
    expected: 'a whole number from 0 to 1000000',
  }),
  MCP_APPS: Type.Union([Type.Literal('off'), Type.Literal('on')], {
    default: 'off',
    description: 'Lets assistants that support MCP Apps show the picture of an answer (docs/decisions/0048).',
    expected: 'on or off',
  }),
  PROPOSALS: Type.Union([Type.Literal('on'), Type.Literal('off'), Type.Literal('inbox')], {
    default: 'on',
    description:
      'Lets people allow assistants to propose facts, which an owner reviews before they are added (docs/decisions/0075). `inbox` means `on`.',
    expected: 'on or off',
  }),
  ACTIVITY_DAYS: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 90,
    description:
      'How long the activity of assistants and people is kept (docs/decisions/0043). 0: nothing is recorded.',
    expected: 'a whole number of days from 0 to 90',
  }),
  BACKUP_DIR: text({
    description:
      'Folder in which the server makes backups by itself (docs/operation.md). Empty: it makes none.',
    expected: 'a writable folder',
  }),
  BACKUP_EVERY: Type.String({
    default: '24h',
    pattern: '^[1-9]\\d{0,3}[hd]$',
    description: 'Time between two backups, in hours or days.',
    expected: 'a number of hours or days such as 6h, 24h or 7d',
  }),
  BACKUP_KEEP: Type.Integer({
    default: 7,
    minimum: 1,
    maximum: 1000,
    description: 'How many backups are kept; older ones are deleted.',
    expected: 'a whole number from 1 to 1000',
  }),
  SMTP_URL: text({
    description:
      'Mail server for reset links, invitations and notifications (docs/operation.md). Empty: no mail is sent.',
    expected: SMTP_URL_FORMS,
    secret: true,
  }),
  MAIL_FROM: text({
    description: 'The sender of mail; needed with SMTP_URL.',
    expected: 'an address such as safes@example.com or Safes <safes@example.com>',
  }),
  TRUST_PROXY: text({
    description: 'Proxies whose X-Forwarded-For counts, for rate limits.',
    expected: 'IP addresses, CIDR ranges, loopback, linklocal or uniquelocal, separated by commas',
  }),
  METRICS_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description:
      'Serves /metrics for Prometheus on a second port of HOST (docs/operation.md). 0: on PORT, if METRICS_TOKEN is set.',
    expected: 'a port number from 1 to 65535, other than PORT, or 0',
  }),
  METRICS_TOKEN: text({
    description: 'Bearer token that /metrics requires. Without it and METRICS_PORT there is no /metrics.',
    expected: 'at least 16 letters, digits or any of -._~+/=',
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: text({
    description:
      'Address of an OpenTelemetry collector that receives traces (docs/operation.md). Empty: nothing is traced.',
    expected: 'an http(s) URL such as http://localhost:4318, to which /v1/traces is added',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text({
    description: 'Headers for the collector, such as its token.',
    expected: 'name=value pairs separated by commas',
    secret: true,
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map(level => Type.Literal(level)),
    {
      default: 'info',
      description: 'How much is logged, as JSON lines on stdout.',
      expected: 'trace, debug, info, warn, error, fatal or silent',
    },
  ),
})

type Settings = Static<typeof SettingsSchema>
export type SettingName = keyof Settings

/** The settings, parsed, validated and complete. */
export interface Config {
  /** Origin without a trailing slash; all published URLs start with it (RULES M1, M4). */
  baseUrl: string
  host: string
  port: number
  dataDir: string
  /** `null`: the embedded database. */
  databaseUrl: string | null
  indexCacheBytes: number
  /** `null`: the embedded database holds ephemeral state, too. */
  redisUrl: string | null
  admin: { email: string; password: string } | null
  /** The OpenID provider at which people can sign in, or null. */
  provider: ProviderSettings | null
  brand: string
  allowedOrigins: readonly string[]
  knownRedirectUris: readonly string[]
  refreshReuseGraceSeconds: number
  /** 0: no limit. */
  callsPerSecond: number
  hasMcpApps: boolean
  hasProposals: boolean
  /** 0: no activity is recorded. */
  activityDays: number
  /** Where and when the server makes backups by itself, or null. */
  backups: Schedule | null
  /** Null: no mail is sent. */
  mail: { server: SmtpServer; from: MailFrom } | null
  /** Where /metrics is served, or null. `port` null: on the port of the service. */
  metrics: { port: number | null; token: string | null } | null
  /** Where traces are sent, or null. */
  traces: { url: string; headers: Record<string, string> } | null
  trustProxy: readonly string[]
  logLevel: string
  /** All settings as they are shown to administrators. */
  described: readonly DescribedSetting[]
}

/** An invalid setting. The message names the variable and the expected value. */
export class ConfigError extends Error {}

/**
 * Reads the settings from an environment. `NAME_FILE` may name a file that holds the value of a secret.
 * @throws ConfigError naming every invalid variable, one per line
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const raw: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(SettingsSchema.properties)) {
    const value = readSetting(env, name, schema)
    if (value !== undefined && value !== '') raw[name] = Value.Convert(schema, value)
  }
  const settings = Value.Default(SettingsSchema, raw) as Settings
  const invalid = new Map<SettingName, string>()
  for (const { path } of Value.Errors(SettingsSchema, settings)) invalid.set(path.slice(1) as SettingName, '')
  const config = {
    ...interpret(settings, (name, reason = '') => invalid.set(name, reason)),
    described: describeConfig(env),
  }
  if (invalid.size > 0) {
    const sentences = [...invalid].map(([name, reason]) =>
      `${name} should be ${expectation(name)}. ${reason}`.trim(),
    )
    throw new ConfigError(sentences.join('\n'))
  }
  return config
}

/** A setting in force. Secrets are withheld. */
export interface DescribedSetting {
  name: string
  value: string
  /** `default`, `environment`, or the variable that names a file. */
  from: string
  description: string
}

/** The current settings and their sources, without secrets, for `svc config` and the page System. */
export function describeConfig(env: Record<string, string | undefined>): DescribedSetting[] {
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

function readSetting(env: Record<string, string | undefined>, name: string, schema: TSchema) {
  const file = env[`${name}_FILE`]
  if (!schema.secret || env[name] || !file) return env[name]?.trim()
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`${name}_FILE should name a readable file, not ${JSON.stringify(file)}.`)
  }
}

function expectation(name: SettingName): string {
  return SettingsSchema.properties[name].expected as string
}

function interpret(
  settings: Settings,
  reject: (name: SettingName, reason?: string) => void,
): Omit<Config, 'described'> {
  const list = (value: string) =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(Boolean)
  const check = (name: SettingName, isValid: boolean) => isValid || reject(name)

  const baseUrl = settings.BASE_URL || `http://localhost:${settings.PORT}`
  check('BASE_URL', isOrigin(baseUrl))
  try {
    if (settings.REDIS_URL) parseRedisUrl(settings.REDIS_URL)
  } catch (error) {
    reject('REDIS_URL', (error as Error).message)
  }
  const mail = readMail(settings, reject)
  check('DATABASE_URL', settings.DATABASE_URL === '' || isPostgresUrl(settings.DATABASE_URL))
  check('ALLOWED_ORIGINS', list(settings.ALLOWED_ORIGINS).every(isOrigin))
  check(
    'KNOWN_REDIRECT_URIS',
    list(settings.KNOWN_REDIRECT_URIS).every(uri =>
      /^(?!http:|javascript:|data:|file:|blob:|vbscript:|about:)[a-z][a-z0-9+.-]*:\/\/[^\s#]+$/.test(uri),
    ),
  )
  check('TRUST_PROXY', list(settings.TRUST_PROXY).every(isProxyRange))
  const { METRICS_PORT: metricsPort, METRICS_TOKEN: metricsToken } = settings
  check('METRICS_PORT', metricsPort !== settings.PORT)
  check('METRICS_TOKEN', metricsToken === '' || isBearerToken(metricsToken))
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_HEADERS: collectorHeaders } = settings
  check('OTEL_EXPORTER_OTLP_ENDPOINT', collector === '' || isHttpUrl(collector))
  check('OTEL_EXPORTER_OTLP_HEADERS', list(collectorHeaders).every(isHeaderPair))
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = settings
  check('ADMIN_EMAIL', (email === '' && password === '') || /^[^\s@]+@[^\s@]+$/.test(email))
  check('ADMIN_PASSWORD', email === '' || password.length >= 12)

  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  const domains = list(settings.OIDC_ALLOWED_DOMAINS.toLowerCase())
  const groups = list(settings.OIDC_ALLOWED_GROUPS)
  check('OIDC_ISSUER', issuer === '' || isIssuer(issuer))
  check('OIDC_CLIENT_ID', (clientId !== '') === (issuer !== ''))
  check('OIDC_CLIENT_SECRET', (clientSecret !== '') === (issuer !== ''))
  check(
    'OIDC_ALLOWED_DOMAINS',
    domains.every(domain => /^[^\s@.]+(?:\.[^\s@.]+)*$/.test(domain)) &&
      (domains.length === 0 || issuer !== ''),
  )
  check('OIDC_ALLOWED_GROUPS', groups.length === 0 || issuer !== '')

  return {
    baseUrl,
    host: settings.HOST,
    port: settings.PORT,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL || null,
    indexCacheBytes: settings.INDEX_CACHE_MB * 1024 * 1024,
    redisUrl: settings.REDIS_URL || null,
    admin: email === '' ? null : { email, password },
    provider: issuer === '' ? null : { issuer, clientId, clientSecret, domains, groups },
    brand: settings.BRAND,
    allowedOrigins: list(settings.ALLOWED_ORIGINS),
    knownRedirectUris: list(settings.KNOWN_REDIRECT_URIS),
    refreshReuseGraceSeconds: settings.REFRESH_REUSE_GRACE_SECONDS,
    callsPerSecond: settings.CALLS_PER_SECOND,
    hasMcpApps: settings.MCP_APPS === 'on',
    hasProposals: settings.PROPOSALS !== 'off',
    activityDays: settings.ACTIVITY_DAYS,
    backups: settings.BACKUP_DIR
      ? {
          folder: settings.BACKUP_DIR,
          everyMs: inMs(settings.BACKUP_EVERY),
          keep: settings.BACKUP_KEEP,
        }
      : null,
    mail,
    metrics:
      metricsPort > 0 || metricsToken ? { port: metricsPort || null, token: metricsToken || null } : null,
    traces: collector
      ? { url: tracesUrl(collector), headers: Object.fromEntries(list(collectorHeaders).map(headerOf)) }
      : null,
    trustProxy: list(settings.TRUST_PROXY),
    logLevel: settings.LOG_LEVEL,
  }
}

function readMail(
  { SMTP_URL: url, MAIL_FROM: text }: Settings,
  reject: (name: SettingName, reason?: string) => void,
): Config['mail'] {
  const from = parseMailFrom(text)
  if ((url !== '' || text !== '') && !from) reject('MAIL_FROM')
  if (url === '' || !from) return null
  try {
    return { server: parseSmtpUrl(url), from }
  } catch (error) {
    reject('SMTP_URL', (error as Error).message)
    return null
  }
}

const HOUR_MS = 3_600_000

/** Of a number of hours or days. */
const inMs = (text: string) => Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1) * HOUR_MS

export function isPostgresUrl(value: string): boolean {
  return /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value)
}

/** Long enough not to be guessed, and of characters that a header may contain (RFC 6750 §2.1). */
const isBearerToken = (value: string) => /^[\w.~+/=-]{16,200}$/.test(value)

const isHttpUrl = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** OpenTelemetry Protocol Exporter, "Endpoint URLs for OTLP/HTTP". */
const tracesUrl = (endpoint: string) => `${endpoint}${endpoint.endsWith('/') ? '' : '/'}v1/traces`

/** The value may be percent-encoded (W3C Baggage §3.2.1.1). */
const isHeaderPair = (pair: string) =>
  /^[\w!#$%&'*+.^`|~-]+ *=[\x21-\x7e ]*$/.test(pair) && !/%(?![0-9A-Fa-f]{2})/.test(pair)

function headerOf(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).origin === value
}

/** An issuer is an https URL without query and fragment (OpenID Connect Discovery §3). */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value) || /[?#]/.test(value)) return false
  const { protocol, origin } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackOrigin(origin))
}

/** Whether `@fastify/proxy-addr` accepts it as a range; that package would also accept `1` as an address. */
function isProxyRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
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
