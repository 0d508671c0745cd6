/** A heartbeat, sent on a timer, which a hung process or thread does not run. */
export const ALIVE = 'alive'
/** Asks a thread to end. */
export const END = 'end'

/** The work of a pool's members: its types. */
export interface Work {
  job: unknown
  result?: unknown
  /** The values it yields before the result, and the inputs for the next one. */
  piece?: unknown
  next?: unknown
  /** The requests it may make while it works. */
  question?: unknown
  reply?: unknown
}

/** A serialized error. */
export interface Sent {
  /** The name of its class. */
  name: string
  message: string
  stack: string | undefined
  /** Its other members. */
  own: object
}

/** `next`: first the job, then the input of its next piece. */
export type ToMember = { next: unknown } | { reply: number; value?: unknown; error?: unknown } | typeof END

export type FromMember =
  | { piece: unknown }
  | { done: unknown }
  | { failed: Sent }
  | { ask: number; question: unknown }
  | typeof ALIVE
