/** A parsed `REDIS_URL`. */
export interface RedisAddress {
  kind: 'standalone' | 'sentinel' | 'cluster'
  /** The server, the sentinels, or some nodes of the cluster. */
  nodes: readonly { host: string; port: number }[]
  tls: boolean
  username?: string
  password?: string
  /** Always 0 in a cluster. */
  db: number
  /** The sentinels' name for the primary; empty without sentinels. */
  primaryName: string
  /** Credentials for the sentinels; `username` and `password` are for the servers. */
  sentinelUsername?: string
  sentinelPassword?: string
}

/** Completes the sentence "REDIS_URL should be …". */
export const REDIS_URL_FORMS =
  'redis://host:port/db, redis+sentinel://host:port,host:port/name/db or redis+cluster://host:port,host:port, each with user:password@ before the hosts if needed, and rediss for TLS'

const FORM = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^/?#@]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i

/**
 * Parses `REDIS_URL`.
 * @throws Error with a reason that does not contain the password
 */
export function parseRedisUrl(url: string): RedisAddress {
  const [, tls, several, credentials, hosts = '', path = '', query = ''] = FORM.exec(url) ?? []
  if (!hosts) throw new Error('The URL has none of these forms.')
  const kind = (several ?? 'standalone') as RedisAddress['kind']
  const nodes = hosts.split(',').map(host => readHost(host, kind === 'sentinel' ? 26379 : 6379))
  if (kind === 'standalone' && nodes.length > 1) {
    throw new Error('Several hosts are sentinels (redis+sentinel://) or a cluster (redis+cluster://).')
  }
  return {
    kind,
    nodes,
    tls: tls === 's',
    ...readCredentials(credentials ?? ''),
    ...readPath(kind, path),
    ...readQuery(kind, query),
  }
}

function readHost(text: string, standardPort: number) {
  const [, ipv6, name, port = String(standardPort)] = HOST.exec(text) ?? []
  const host = ipv6 ?? name
  if (!host || Number(port) < 1 || Number(port) > 65535) throw new Error('A host has the form host:port.')
  return { host, port: Number(port) }
}

function readCredentials(text: string) {
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? []
  return {
    ...(username && { username: decode(username) }),
    ...(password && { password: decode(password) }),
  }
}

function readPath(kind: RedisAddress['kind'], path: string) {
  const parts = path.split('/').filter(Boolean)
  const primaryName = kind === 'sentinel' ? decode(parts.shift() ?? '') : ''
  if (kind === 'sentinel' && !primaryName) {
    throw new Error('Add the name of their primary after the sentinels, such as /mymaster.')
  }
  const [db = '0', ...rest] = parts
  if (kind === 'cluster' && parts.length > 0) throw new Error('A cluster has no numbered databases.')
  if (!/^\d{1,5}$/.test(db) || rest.length > 0) throw new Error('The database must be a number.')
  return { primaryName, db: Number(db) }
}

function readQuery(kind: RedisAddress['kind'], query: string) {
  const { sentinel_username, sentinel_password, ...other } = Object.fromEntries(new URLSearchParams(query))
  const [unknown] = kind === 'sentinel' ? Object.keys(other) : [...new URLSearchParams(query).keys()]
  if (unknown !== undefined) {
    throw new Error('Only sentinel_username and sentinel_password may follow a “?”, and only with sentinels.')
  }
  return {
    ...(sentinel_username && { sentinelUsername: sentinel_username }),
    ...(sentinel_password && { sentinelPassword: sentinel_password }),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('Write “%” in a name or password as %25.')
  }
}
