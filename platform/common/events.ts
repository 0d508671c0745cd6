import { channel } from 'node:diagnostics_channel'

/**
 * Events of one kind, for whoever measures them: plugins/metrics and plugins/traces. Publishing without a listener
 * costs nanoseconds (docs/decisions/0062).
 */
class Events<Event extends object> {
  readonly #channel

  constructor(name: string) {
    this.#channel = channel(`svc:${name}`)
  }

  /** Whether anybody listens, so that what only the event needs can be left out. */
  get isObserved(): boolean {
    return this.#channel.hasSubscribers
  }

  /** Calls the listeners at once. An event never contains a name, an id or a secret. */
  publish(event: Event): void {
    this.#channel.publish(event)
  }

  /** Returns a function that ends it. */
  subscribe(listener: (event: Event) => void): () => void {
    const onMessage = (message: unknown) => listener(message as Event)
    this.#channel.subscribe(onMessage)
    return () => void this.#channel.unsubscribe(onMessage)
  }
}

/** Something that has just ended, and how long it took. */
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

/** A password given to sign in. */
interface SignIn {
  result: 'succeeded' | 'failed' | 'throttled'
}
export const signIns = new Events<SignIn>('sign-in')

/** A file, or what changed in a synced folder, that was read; the time includes waiting for its turn. */
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
