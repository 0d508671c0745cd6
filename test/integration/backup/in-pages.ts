import { cpSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { freePort } from '../../free-port.js'
import { build, dataDir } from '../../helper.js'
import { assistantOf } from '../oauth/assistant.js'
import type { Browser } from '../pages/browser.js'
import { signedIn } from '../pages/open.js'
import { file, people } from '../safes/open.js'

/** Where an administrator sees backups. */
export const PAGE = '/system/backups'
const nameIn = (body: string) => /href="\/system\/backups\/([^"]+\.db)"/.exec(body)?.[1] ?? ''

/** The service with an administrator and a Safe, and a count of requested restarts. */
export async function open(t: Test, env: Record<string, string> = {}) {
  const restarts: number[] = []
  const settings = { PORT: String(await freePort()), ...env }
  const app = await build(t, { setUp: 'embedded', env: settings, startAgain: () => restarts.push(1) })
  const { assistant } = await assistantOf(app, 'ada@a.example')
  const ada = await signedIn(app, 'ada@a.example')
  const { id } = await app.safes.create(ada.id, 'Notes')
  await app.safes.imports.add(ada.id, id, file('people.nt', people(7)))
  return { app, assistant, ada, id, settings, restarts }
}

/** Starts again, in a copy of the folder: threads of this process keep files of SQLite open. */
export async function startAgain(t: Test, app: FastifyInstance, settings: Record<string, string>) {
  await app.close()
  const folder = dataDir(t)
  cpSync(app.config.dataDir, folder, { recursive: true, filter: name => !/\.lock|-shm$/.test(name) })
  return build(t, { setUp: 'embedded', env: { ...settings, DATA_DIR: folder } })
}

/** Makes a backup on the page, and returns its name. */
export const make = async (browser: Browser) => {
  await browser.submit(PAGE, `${PAGE}/make`)
  // On a slow machine the page appears first.
  while (browser.app.backups.isMaking) await pause(20)
  return nameIn((await browser.get(PAGE)).body)
}
/** Sends a form of a backup's page. */
export const send = (browser: Browser, name: string, action: string, password: string) =>
  browser.submit(`${PAGE}/${name}`, `${PAGE}/${name}/${action}`, { password })
