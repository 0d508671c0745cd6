import { type ImportRead, importReads } from '../../../platform/common/events.js'

/** Reads a file or a folder, and publishes the result. */
export async function measuredRead<T>(
  kind: ImportRead['kind'],
  read: () => Promise<T>,
  resultOf: (done: T) => ImportRead['result'],
): Promise<T> {
  const began = performance.now()
  let result: ImportRead['result'] = 'failed'
  try {
    const done = await read()
    result = resultOf(done)
    return done
  } finally {
    importReads.publish({ kind, result, ms: performance.now() - began })
  }
}
