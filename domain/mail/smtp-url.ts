import { isMailAddress } from './mail.js'

/** A parsed `SMTP_URL`. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte. Otherwise STARTTLS. */
  secure: boolean
  auth: { user: string; pass: string } | null
}

/** Completes the sentence "SMTP_URL should be …". */
export const SMTP_URL_FORMS =
  'smtp://user:password@host:port (STARTTLS) or smtps://user:password@host:port (TLS), without user:password@ for a server that needs none'

/** RFC 6409 §3.1 and RFC 8314 §3.3. */
const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

/**
 * Parses `SMTP_URL`.
 * @throws Error with a reason that does not contain the password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  if (!URL.canParse(text)) throw new Error('This is not a URL.')
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const standardPort = PORTS[protocol]
  if (!standardPort || !hostname) throw new Error('The URL has none of these forms.')
  if (!['', '/'].includes(pathname) || search || hash) throw new Error('Nothing may follow the port.')
  if ((username === '') !== (password === ''))
    throw new Error('It has a user and a password, or neither of them.')
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || standardPort,
    secure: protocol === 'smtps:',
    auth: username === '' ? null : { user: decode(username), pass: decode(password) },
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('In the user and the password, "%" is written as "%25".')
  }
}

/** A parsed `MAIL_FROM`. */
export interface MailFrom {
  name: string
  address: string
}

/** Reads `name@example.com` or `Name <name@example.com>`. Null for anything else. */
export function parseMailFrom(text: string): MailFrom | null {
  const start = text.endsWith('>') ? text.lastIndexOf('<') : -1
  const name = start < 0 ? '' : text.slice(0, start).trim()
  const address = start < 0 ? text.trim() : text.slice(start + 1, -1)
  return isMailAddress(address) && /^[^\r\n<>"]*$/.test(name) ? { name, address } : null
}
