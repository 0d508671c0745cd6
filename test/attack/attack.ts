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
  /** Runs the command line beside the service. Returns what it printed. @throws when it fails */
  svc(args: string[], input?: string): Promise<string>
}

/**
 * One attack, in a file of its own in `attacks/`, which exports it as `attack`. `run.ts` finds it there, starts a new
 * service for it and lets an honest user work beside it.
 */
export interface Attack {
  name: string
  /** Settings of the attacked service besides the defaults. */
  env?: Record<string, string>
  /** What the honest user does meanwhile. Default: `question`, every 50 ms, of a small Safe. */
  honest?: 'question' | 'sign-in'
  /** Ends by itself within about ten seconds. @throws when it got what it should not */
  run(service: Service): Promise<void>
  limits: {
    /** The longest the main thread worked without a pause, in milliseconds. Waiting for a free core does not count. */
    loopGapMs: number
    /** The least part of the honest user's calls that must be answered as if nobody attacked, 0 to 1. */
    honestShare: number
  }
}
