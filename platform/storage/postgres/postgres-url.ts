/** A service that writes has no use for the others, such as `standby`. */
const SESSION_ATTRIBUTES = new Set([null, 'any', 'read-write', 'primary'])

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]*)(.*)$/s

/**
 * One URL for each host of a URL as libpq has them, in their order (PostgreSQL, "Specifying Multiple Hosts").
 * @throws Error without the URL, which may hold a password
 */
export function postgresUrls(url: string): string[] {
  const [, before, hosts, after] = PARTS.exec(url) ?? []
  if (before === undefined || hosts === undefined) throw new Error('It does not begin with postgres://.')
  const all = hosts.split(',')
  if (`${hosts}${after}` === '' || (all.length > 1 && all.includes(''))) throw new Error('It names no host.')
  return all.map(host => {
    if (!URL.canParse(`${before}${host}${after}`)) throw new Error('It is not a URL.')
    const one = new URL(`${before}${host}${after}`)
    if (!SESSION_ATTRIBUTES.has(one.searchParams.get('target_session_attrs')))
      throw new Error('target_session_attrs should be read-write: the service also writes.')
    one.searchParams.delete('target_session_attrs')
    return one.href
  })
}
