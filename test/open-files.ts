import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Files in a folder that this process has open, where `/proc` is available. */
export function openFiles(folder: string): string[] {
  const descriptors = '/proc/self/fd'
  if (!existsSync(descriptors)) return []
  return readdirSync(descriptors)
    .map(descriptor => {
      try {
        return readlinkSync(join(descriptors, descriptor))
      } catch {
        return '' // The descriptor used for reading the folder is closed by now.
      }
    })
    .filter(path => path.startsWith(`${folder}/`))
}
