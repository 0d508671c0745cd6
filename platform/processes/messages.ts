/** A sign of life, sent on a timer, which a hung process or thread does not run. */
export const ALIVE = 'alive'
/** Asks a thread to end. */
export const END = 'end'

/** What the members of a pool do: its types. */
export interface Work {
  job: unknown
  result?: unknown
  /** What it yields before the result, and what it is given for the next one. */
  piece?: unknown
  next?: unknown
  /** What it may ask while it works. */
  question?: unknown
  reply?: unknown
}

/** An error on its way. */
export interface Sent {
  /** Of its class. */
  name: string
  message: string
  stack: string | undefined
  /** Its other members. */
  own: object
}

/** `next`: first the job, then what its next piece needs. */
export type ToMember = { next: unknown } | { reply: number; value?: unknown; error?: unknown } | typeof END

export type FromMember =
  | { piece: unknown }
  | { done: unknown }
  | { failed: Sent }
  | { ask: number; question: unknown }
  | typeof ALIVE
