import { setImmediate as nextTurn } from 'node:timers/promises'

/** Runs tasks with the same key one after another, each in its own turn of the event loop. */
type RunInTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Without it, a batch of 50 questions would delay other accounts by seconds. */
export function turnsByKey(): RunInTurn {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work)
    const turn = done.then(
      () => nextTurn(),
      () => nextTurn(),
    )
    last.set(key, turn)
    void turn.then(() => {
      if (last.get(key) === turn) last.delete(key)
    })
    return done
  }
}
