import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './settings.js'

/** In the data folder, while a server runs on it: the settings of its address. */
export const RUNNING_FILE = 'server.json'

/** The environment of a command with the address of the server that runs on its data folder, unless it names one. */
export function withRunningServer(env: Environment): Environment {
  if (['PORT', 'PORT_FILE', 'BASE_URL', 'BASE_URL_FILE'].some(name => env[name])) return env
  try {
    const { PORT, BASE_URL } = JSON.parse(readFileSync(join(env.DATA_DIR || 'data', RUNNING_FILE), 'utf8'))
    return { ...env, PORT: String(PORT), BASE_URL: String(BASE_URL) }
  } catch {
    return env
  }
}
