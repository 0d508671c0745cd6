import { isLoopbackOrigin } from '../../platform/common/origin.js'
import { CommandError } from '../command.js'

/**
 * The origin of a server from a typed text: `safes.example.com`, or an address copied from the browser.
 * @throws CommandError unless it is https, or http on this machine (RFC 8252 §8.3 covers loopback only)
 */
export function serverAddress(text: string): string {
  const address = withScheme(text.trim())
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new CommandError(`“${text}” is not the address of a server, such as https://safes.example.com.`)
  if (url.protocol === 'http:' && !isLoopbackOrigin(url.origin))
    throw new CommandError(`A sign-in over http could be read by others. Use https://${url.host}.`)
  return url.origin
}

function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  const isLocal = URL.canParse(`http://${text}`) && isLoopbackOrigin(new URL(`http://${text}`).origin)
  return `${isLocal ? 'http' : 'https'}://${text}`
}
