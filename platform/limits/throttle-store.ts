/** The result of counting one event against a limit. */
export interface ThrottleResult {
  isAllowed: boolean
  /** Events in this window, including this one if it was allowed. */
  count: number
  /** Milliseconds until the window ends. */
  resetInMs: number
}

/** Counts events in fixed time windows. A window starts with its first event. */
export interface ThrottleStore {
  /** Counts an event if fewer than `limit` were counted. Atomic: of parallel calls exactly `limit` are allowed. */
  take(key: string, limit: number, windowMs: number): Promise<ThrottleResult>
  /** Uncounts one event, if any was counted. */
  release(key: string): Promise<void>
  clear(key: string): Promise<void>
}
