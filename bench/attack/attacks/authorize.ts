import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.js'
import { floodAuthorize } from '../authorize-flood.js'

/** Some rows of the honest user and of the client; 60 stored requests would take as much. */
const MOST_BYTES = 500_000

/** Nothing of an undecided authorization request may stay on the disk. */
export const attack: Attack = {
  name: 'authorization requests of strangers',
  limits: { holdMs: 100, honestShare: 0.9 },
  async run(service) {
    const before = bytesOf(service.dataDir)
    const taken = await floodAuthorize(service, 6)
    const grown = bytesOf(service.dataDir) - before
    if (grown > MOST_BYTES) throw new Error(`${taken} requests left ${grown} bytes on the disk`)
    return `${taken} requests, ${grown} bytes more on the disk`
  },
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0)
}
