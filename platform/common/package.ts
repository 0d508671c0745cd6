import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, for sources as well as for the compiled files. */
export const rootDir = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

/** The version of the service, from package.json. */
export const version: string = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')).version
