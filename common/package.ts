import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository, for sources as well as `dist/`. */
export const rootDir = (() => {
  const above = join(dirname(fileURLToPath(import.meta.url)), '..')
  return above.endsWith('dist') ? dirname(above) : above
})()

/** The version of the service, from package.json. */
export const version: string = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')).version
