import { storeCalls } from '../../common/events.js'
import { operationOf } from '../operation-of.js'
import type { SqliteStatement } from './sqlite-driver.js'

/** Publishes the duration of each run. Rows that are read one by one are not measured: their reader sets the pace. */
export function measured(statement: SqliteStatement, sql: string): SqliteStatement {
  const operation = operationOf(sql)
  const run = <T>(call: () => T): T => {
    if (!storeCalls.isObserved) return call()
    const began = performance.now()
    let isFailed = true
    try {
      const result = call()
      isFailed = false
      return result
    } finally {
      storeCalls.publish({ store: 'sqlite', operation, ms: performance.now() - began, isFailed })
    }
  }
  return {
    reader: statement.reader,
    all: parameters => run(() => statement.all(parameters)),
    get: parameters => run(() => statement.get(parameters)),
    run: parameters => run(() => statement.run(parameters)),
    iterate: parameters => statement.iterate(parameters),
  }
}
