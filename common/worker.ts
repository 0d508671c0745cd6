import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/**
 * Starts a thread running the module `name` next to `from` (an `import.meta.url`): compiled, or TypeScript in
 * tests.
 */
export const startWorker = (
  name: string,
  from: string,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
) => new Worker(new URL(`./${name}${extname(from)}`, from), { workerData, resourceLimits })
