import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Starts a thread that runs the module `name` beside `from` (an `import.meta.url`), built or, in tests, as it is written. */
export const startWorker = (
  name: string,
  from: string,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
) => new Worker(new URL(`./${name}${extname(from)}`, from), { workerData, resourceLimits })
