/** What happens next, by time: a binary heap. */
export class EventQueue {
  readonly #events: { at: number; run: () => void }[] = []

  add(at: number, run: () => void): void {
    const events = this.#events
    let child = events.length
    while (child > 0) {
      const parent = (child - 1) >>> 1
      const above = events[parent]
      if (!above || above.at <= at) break
      events[child] = above
      child = parent
    }
    events[child] = { at, run }
  }

  next(): { at: number; run: () => void } | undefined {
    const events = this.#events
    const [first] = events
    const last = events.pop()
    if (!first || !last || events.length === 0) return first
    let parent = 0
    for (;;) {
      let child = 2 * parent + 1
      if (child >= events.length) break
      if ((events[child + 1]?.at ?? Number.POSITIVE_INFINITY) < (events[child]?.at ?? 0)) child++
      const below = events[child]
      if (!below || below.at >= last.at) break
      events[parent] = below
      parent = child
    }
    events[parent] = last
    return first
  }
}
