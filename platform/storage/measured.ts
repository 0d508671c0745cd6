import { type StoreCall, storeCalls } from '../common/events.js'

/** Publishes how long a call takes, also one that returns a promise. */
export function measured<T>(store: StoreCall['store'], operation: string, call: () => T): T {
  if (!storeCalls.isObserved) return call()
  const began = performance.now()
  const publish = (isFailed: boolean) =>
    storeCalls.publish({ store, operation, ms: performance.now() - began, isFailed })
  try {
    const result = call()
    if (!(result instanceof Promise)) publish(false)
    else
      result.then(
        () => publish(false),
        () => publish(true),
      )
    return result
  } catch (error) {
    publish(true)
    throw error
  }
}

const OPERATIONS = new Set(['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'])

/** The kind of a statement, one of a few: its first word. */
export function operationOf(sql: string): string {
  const end = sql.indexOf(' ')
  const word = (end === -1 ? sql : sql.slice(0, end)).toLowerCase()
  return OPERATIONS.has(word) ? word : 'other'
}
