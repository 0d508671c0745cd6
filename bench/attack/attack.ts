import type { Server } from '../../test/integration/redis/servers.js'

/** An account of the attacker on the attacked service, with a Safe (the sample) and an access token of its own. */
export interface Account {
  email: string
  password: string
  token: string
  safeId: string
}

/** The built service, a process of its own, and what an attacker has there. */
export interface Service {
  url: string
  port: number
  dataDir: string
  attacker: Account
  /** What it keeps codes, tokens and sessions in, when the attack asks for one. */
  redis: Server | null
}

/**
 * One attack, in a file of its own in `attacks/`, which exports it as `attack`. `run.ts` finds it there, starts a new
 * service for it and lets an honest user work beside it.
 */
export interface Attack {
  name: string
  /** Further arguments of a redis-server, for a service that has one. */
  redis?: string[]
  /** What the honest user does meanwhile. Default: `question`, every 50 ms, of a small Safe. */
  honest?: 'question' | 'sign-in'
  /**
   * Ends by itself within about ten seconds.
   * @returns what else is worth printing
   * @throws when it got what it should not
   */
  run(service: Service): Promise<string | undefined>
  limits: {
    /**
     * The longest that one piece of work kept the main thread, in milliseconds of its processor time (`longestPiece` in
     * test/built-server.ts). Time on the clock would be the wrong measure: attackers, honest user and service share few
     * cores, so the clock tells most of all how long the service waited for one.
     */
    holdMs: number
    /** The least part of the honest user's calls that must be answered as if nobody attacked, 0 to 1. */
    honestShare: number
  }
}
