import { channel } from 'node:diagnostics_channel'

/**
 * Events of one kind, for plugins/metrics and plugins/traces. Publishing without a listener
 * costs nanoseconds (docs/decisions/0062).
 */
class Events<Event extends object> {
  readonly #channel

  constructor(name: string) {
    this.#channel = channel(`svc:${name}`)
  }

  /** Whether there are listeners, so that data needed only for the event can be left out. */
  get isObserved(): boolean {
    return this.#channel.hasSubscribers
  }

  /** Calls the listeners synchronously. An event never contains a name, an id or a secret. */
  publish(event: Event): void {
    this.#channel.publish(event)
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: (event: Event) => void): () => void {
    const onMessage = (message: unknown) => listener(message as Event)
    this.#channel.subscribe(onMessage)
    return () => void this.#channel.unsubscribe(onMessage)
  }
}

/** An operation that has just ended, and its duration. */
interface Ended {
  ms: number
}

/** A statement or command. `operation`: the first word of a statement, or the command of Redis. */
export interface StoreCall extends Ended {
  store: 'sqlite' | 'postgres' | 'redis'
  operation: string
  isFailed: boolean
}
export const storeCalls = new Events<StoreCall>('store-call')

/** A log line that was dropped. */
export const logLinesDropped = new Events<object>('log-line-dropped')

/** A form posted to the token endpoint. `result`: `issued`, the code of an error response, or `failed`. */
export interface TokenRequest {
  grantType: 'authorization_code' | 'refresh_token' | 'other'
  result: string
}
export const tokenRequests = new Events<TokenRequest>('token-request')

/** A password submitted to sign in. */
interface SignIn {
  result: 'succeeded' | 'failed' | 'throttled'
}
export const signIns = new Events<SignIn>('sign-in')

/** A file that was read, or the changes of a synced folder; the time includes waiting for its turn. */
export interface ImportRead extends Ended {
  kind: 'file' | 'folder'
  result: 'staged' | 'committed' | 'unchanged' | 'failed'
}
export const importReads = new Events<ImportRead>('import-read')

/** An index that was opened: built from rows, or loaded from its snapshot. The time includes waiting for the thread. */
export interface IndexOpened extends Ended {
  how: 'built' | 'loaded' | 'failed'
}
export const indexesOpened = new Events<IndexOpened>('index-opened')

/** A question ranked by an index. */
export const searches = new Events<Ended>('search')

/** A request refused before any work was done for it. */
export interface Rejection {
  reason: 'overload' | 'rate_limit'
}
export const rejections = new Events<Rejection>('rejection')
