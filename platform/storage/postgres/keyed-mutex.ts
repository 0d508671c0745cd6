import AsyncLock from 'async-lock'
import { Unavailable } from '../../common/unavailable.js'

/** @throws Unavailable after waiting too long, or if more than a thousand wait for the same key */
type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs work with the same key one at a time within this process. Work waits here rather than while holding
 * one of the few connections, so that a hundred requests of one client cannot use up the pool.
 */
export function keyedMutex(timeoutMs: number): KeyedMutex {
  const lock = new AsyncLock({ timeout: timeoutMs })
  return async (key, work) => {
    let hasStarted = false
    const start = () => {
      hasStarted = true
      return work()
    }
    try {
      return await lock.acquire(key, start)
    } catch (error) {
      if (hasStarted) throw error
      throw new Unavailable('too many wait for the same lock', { cause: error })
    }
  }
}
