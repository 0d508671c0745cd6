import { spawn } from 'node:child_process'
import { isLoopbackOrigin } from '../../platform/common/origin.js'
import { CommandError } from '../command.js'

type Env = Record<string, string | undefined>

/**
 * Opens an address in the person's browser, if there is one. It is also printed, so nobody waits for this.
 * @throws CommandError unless it is https, or http on this machine: other addresses may start any program
 */
export function openBrowser(url: string, env: Env, platform: NodeJS.Platform = process.platform): void {
  const { protocol, origin } = new URL(url)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackOrigin(origin)))
    throw new CommandError(`${url} is not the address of a page.`)
  const command = browserCommand(url, env, platform)
  if (!command) return
  const [program, ...args] = command
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env })
  child.on('error', () => {})
  child.unref()
}

/** Null on Linux without a desktop, where `xdg-open` would start a browser in the terminal. */
function browserCommand(url: string, env: Env, platform: NodeJS.Platform): [string, ...string[]] | null {
  if (platform === 'darwin') return ['open', url]
  // `start` would be parsed by cmd.exe, where the & of an address is an operator.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', url] : null
}
