import { Unavailable } from '../unavailable.js'

/** @throws Unavailable when its turn comes too late */
type InTurn = <T>(over: string, work: () => Promise<T>) => Promise<T>

/**
 * Lets work over the same wait here, and not with a connection in its hand, of which there are few: a hundred requests
 * of one client would leave none to the others.
 */
export function turns(patienceMs: number): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (over, work) => {
    const asked = performance.now()
    const attempt = () => {
      if (performance.now() - asked > patienceMs) throw new Unavailable('too many wait for the same')
      return work()
    }
    const mine = (last.get(over) ?? Promise.resolve()).then(attempt, attempt)
    last.set(over, mine)
    try {
      return await mine
    } finally {
      if (last.get(over) === mine) last.delete(over)
    }
  }
}
