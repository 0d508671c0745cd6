import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What this process has open in a folder, as far as the system tells. */
export function openFiles(folder: string): string[] {
  const descriptors = '/proc/self/fd'
  if (!existsSync(descriptors)) return []
  return readdirSync(descriptors)
    .map(descriptor => {
      try {
        return readlinkSync(join(descriptors, descriptor))
      } catch {
        return '' // The one that read the folder is closed by now.
      }
    })
    .filter(path => path.startsWith(`${folder}/`))
}
