import { DatabaseError } from 'pg'
import { findPooler, type Pooler, probe } from './pooler.js'
import { postgresUrls } from './postgres-url.js'

/** The address of the current server. */
export interface PostgresAddress {
  url: string
  pooler: Pooler
}

const LIMITS = { connectionTimeoutMillis: 1000, query_timeout: 1000 }

/**
 * The server that takes writes: the only one of DATABASE_URL, or of several the first that is not a standby (libpq:
 * `target_session_attrs=read-write`).
 */
export class CurrentServer {
  readonly #urls: string[]
  #pooler: Pooler | null = null
  #finding: Promise<PostgresAddress> | null = null

  /** @throws Error if it is not a Postgres URL */
  constructor(databaseUrl: string) {
    this.#urls = postgresUrls(databaseUrl)
  }

  /** Finds it once. @throws errors of pg, and searches again at the next call */
  find(): Promise<PostgresAddress> {
    this.#finding ??= this.#find().catch(error => {
      this.#finding = null
      throw error
    })
    return this.#finding
  }

  /** Another server may take the writes after this error. */
  failed(error: unknown): void {
    if (this.#urls.length > 1 && isOfServer(error)) this.#finding = null
  }

  async #find(): Promise<PostgresAddress> {
    const [only = ''] = this.#urls
    const url = this.#urls.length === 1 ? only : await firstWritable(this.#urls)
    this.#pooler ??= await findPooler(url)
    return { url, pooler: this.#pooler }
  }
}

/** Not errors of one statement: those that are too slow, or wait for a lock, fail on any server. */
function isOfServer(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(?:08|25006$|57P)/.test(error.code ?? '')
}

async function firstWritable(urls: string[]): Promise<string> {
  const asked = await Promise.allSettled(urls.map(takesWrites))
  const found = asked.findIndex(answer => answer.status === 'fulfilled' && answer.value)
  if (found !== -1) return urls[found] as string
  const failed = asked.find(answer => answer.status === 'rejected')
  throw failed?.reason ?? Object.assign(new Error('All its servers are standbys.'), { code: 'STANDBY' })
}

async function takesWrites(url: string): Promise<boolean> {
  const client = probe(url, LIMITS)
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('transaction_read_only') as kept")
    return rows[0].kept === 'off'
  } finally {
    await client.end().catch(() => {})
  }
}
