import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../common/package.js'
import type { ImportOptions } from './safe.js'

export const SAMPLE_NAME = 'Lighthouse cooperative'

const FILE = 'lighthouse-cooperative.jsonl'

/** The graph that comes with the service (`sample/`), as an import takes it. */
export function openSample(): Pick<ImportOptions, 'source' | 'bytes'> {
  return { source: FILE, bytes: createReadStream(join(rootDir, 'sample', FILE)) }
}
