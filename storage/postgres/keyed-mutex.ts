import AsyncLock from 'async-lock'
import { Unavailable } from '../../common/unavailable.js'

/** @throws Unavailable when its turn comes too late, or more than a thousand wait for the same */
type InTurn = <T>(over: string, work: () => Promise<T>) => Promise<T>

/**
 * Lets work over the same wait here, and not with a connection in its hand, of which there are few: a hundred requests
 * of one client would leave none to the others.
 */
export function turns(patienceMs: number): InTurn {
  const lock = new AsyncLock({ timeout: patienceMs })
  return async (over, work) => {
    let begun = false
    const begin = () => {
      begun = true
      return work()
    }
    try {
      return await lock.acquire(over, begin)
    } catch (error) {
      if (begun) throw error
      throw new Unavailable('too many wait for the same', { cause: error })
    }
  }
}
