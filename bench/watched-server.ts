import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startBuilt } from '../test/built-server.js'

/** A delay of the server's event loop. Milliseconds. */
export interface Hold {
  /** How late a timer fired. */
  late: number
  /** The part in which the main thread was running. */
  ran: number
  /** The part in which it waited for a free core. */
  waited: number
  /**
   * The longest run without a timer and without a request starting or ending. A hundred requests read at once
   * delay a timer together, although none of them blocks the loop.
   */
  longestPiece: number
}

/** A server whose event loop is monitored. */
export interface WatchedServer extends ServerProcess {
  /** Event loop delays since the last call. @throws when the server has exited */
  holds(): Promise<Hold[]>
}

const LOOP_WATCH = fileURLToPath(new URL('loop-watch.mjs', import.meta.url))

/** Like `startBuilt`, and monitors the event loop. `log`: a file descriptor. */
export async function startWatched(env: Record<string, string>, log?: number): Promise<WatchedServer> {
  const logged = log === undefined ? {} : { stdout: log }
  const server = await startBuilt(env, { nodeArgs: ['--import', LOOP_WATCH], ...logged })
  const { child, ended } = server
  const failed = ended.then(code => Promise.reject(new Error(`the service exited with ${code}`)))
  failed.catch(() => {})
  return {
    ...server,
    async holds() {
      if (child.connected) child.send('holds')
      const [holds] = await Promise.race([once(child, 'message'), failed])
      return holds
    },
  }
}
