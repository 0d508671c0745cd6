import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './free-port.js'

/** Fast settings that may lose writes in a power failure, but not when the process is killed. */
const FAST = ['fsync=off', 'full_page_writes=off']

/** A migrated database of test/setup.ts: copying it is faster than migrating. */
export const TEMPLATE = 'migrated'

/** A private Postgres server with data and socket in a temporary folder, on a port of 127.0.0.1. */
export class PostgresServer {
  readonly port: number
  readonly folder: string
  #child: ChildProcess | null = null

  private constructor(port: number, folder: string) {
    this.port = port
    this.folder = folder
  }

  static async start(): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), mkdtempSync(join(tmpdir(), 'svc-postgres-')))
    chmodSync(server.folder, 0o755)
    const { uid, gid } = unprivileged()
    if (uid !== undefined) chownSync(server.folder, uid, gid ?? uid)
    const data = join(server.folder, 'data')
    // A linguistic collation, as on most servers: code that needs byte order must request it.
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en']
    execFileSync(
      postgresProgram('initdb'),
      ['-D', data, '-U', 'svc', '--auth=trust', '--no-sync', ...locale],
      {
        stdio: 'ignore',
        cwd: server.folder,
        ...unprivileged(),
      },
    )
    await server.resume()
    return server
  }

  /** A standby of another server, which acknowledges a write only after the standby has it. */
  static async standbyOf(primary: PostgresServer): Promise<PostgresServer> {
    const standby = new PostgresServer(await freePort(), mkdtempSync(join(tmpdir(), 'svc-postgres-')))
    chmodSync(standby.folder, 0o755)
    const { uid, gid } = unprivileged()
    if (uid !== undefined) chownSync(standby.folder, uid, gid ?? uid)
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'svc', '--checkpoint=fast', '-R']
    const to = ['-D', join(standby.folder, 'data')]
    execFileSync(postgresProgram('pg_basebackup'), [...from, ...to], {
      stdio: 'ignore',
      cwd: standby.folder,
      ...unprivileged(),
    })
    await standby.resume()
    const client = new Client({ connectionString: primary.url() })
    await client.connect()
    await client.query("alter system set synchronous_standby_names = '*'")
    await client.query('select pg_reload_conf()')
    await client.end()
    return standby
  }

  /** Makes a standby the primary. */
  promote(): void {
    const args = ['promote', '-w', '-D', join(this.folder, 'data')]
    execFileSync(postgresProgram('pg_ctl'), args, { stdio: 'ignore', cwd: this.folder, ...unprivileged() })
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  url(database = 'postgres'): string {
    return `postgres://svc@127.0.0.1:${this.port}/${database}`
  }

  /** Starts the server with its existing data. Resolves when it accepts connections. */
  async resume(): Promise<void> {
    // After SIGKILL, Postgres does not start until its backend processes have exited.
    for (let attempt = 0; !(await this.#tryStart()); attempt++) {
      if (attempt === 50) throw new Error('Postgres did not start.')
      await sleep(100)
    }
  }

  async #tryStart(): Promise<boolean> {
    const settings = [
      ...FAST,
      'max_connections=300',
      `unix_socket_directories=${this.folder}`,
      'shared_preload_libraries=pg_stat_statements',
      // Shared by the databases of all tests: with the usual 5,000, statements of one would evict those of another.
      'pg_stat_statements.max=50000',
    ]
    const args = ['-D', join(this.folder, 'data'), '-p', String(this.port), '-h', '127.0.0.1']
    const child = spawn(
      postgresProgram('postgres'),
      [...args, ...settings.flatMap(setting => ['-c', setting])],
      {
        detached: true,
        stdio: 'ignore',
        cwd: this.folder,
        ...unprivileged(),
      },
    )
    child.unref()
    this.#child = child
    while (!(await answers(this.url()))) {
      if (child.exitCode !== null) return false
      await sleep(50)
    }
    return true
  }

  /** `SIGINT` is a fast shutdown; `SIGQUIT` and `SIGKILL` simulate a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.ref()
    child.kill(signal)
    await ended
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Whether Postgres, or a pooler, accepts connections at this address. */
export async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Debian installs the programs of each version outside PATH. */
export function postgresProgram(name: string): string {
  const versions = '/usr/lib/postgresql'
  try {
    const [newest] = readdirSync(versions).sort((a, b) => Number(b) - Number(a))
    if (newest) return join(versions, newest, 'bin', name)
  } catch {}
  return name
}

/** Postgres refuses to run as root. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map(option => Number(execFileSync('id', [option, 'nobody'])))
  return { uid: uid as number, gid: gid as number }
}
