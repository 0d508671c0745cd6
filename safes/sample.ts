import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../common/package.js'
import type { ImportOptions } from './safe.js'

export const SAMPLE_NAME = 'Lighthouse cooperative'

const FILE = 'lighthouse-cooperative.jsonl'

/** The graph that ships with the service (`sample/`), ready to import. */
export function openSample(): Pick<ImportOptions, 'source' | 'bytes'> {
  return { source: FILE, bytes: createReadStream(join(rootDir, 'sample', FILE)) }
}
