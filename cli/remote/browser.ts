import { spawn } from 'node:child_process'

type Env = Record<string, string | undefined>

/** Opens an address in the person's browser, if there is one. It is also printed, so nobody waits for this. */
export function openBrowser(url: string, env: Env, platform: NodeJS.Platform = process.platform): void {
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
  // `start` would be read by cmd.exe, to which the & of an address is an operator.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', url] : null
}
