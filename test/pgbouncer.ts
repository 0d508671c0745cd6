import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.js'
import { answers, unprivileged } from './postgres-server.js'

export type PoolMode = 'session' | 'transaction' | 'statement'

export interface PgBouncer {
  port: number
  child: ChildProcess
}

/** PgBouncer in front of every database of a Postgres server, in a temporary folder, on a port of 127.0.0.1. */
export async function startPgBouncer(
  postgres: string,
  mode: PoolMode,
  settings: Record<string, string | number> = {},
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'))
  const { hostname, port: postgresPort, username } = new URL(postgres)
  const port = Number(settings.listen_port ?? (await freePort()))
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: 30,
    max_client_conn: 2000,
    // Many databases of tests share the connections of one server.
    server_idle_timeout: 3,
    admin_users: username,
    ...settings,
  }
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${postgresPort} user=${username}`,
    '[pgbouncer]',
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  chmodSync(folder, 0o755)
  const { uid, gid } = unprivileged()
  if (uid !== undefined) chownSync(folder, uid, gid ?? uid)
  const program = existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer'
  const child = spawn(program, ['-q', file], { detached: true, stdio: 'ignore', ...unprivileged() })
  child.unref()
  for (let attempt = 0; !(await answers(`postgres://${username}@127.0.0.1:${port}/pgbouncer`)); attempt++) {
    if (child.exitCode !== null || attempt === 200) throw new Error('PgBouncer did not start.')
    await pause(20)
  }
  return { port, child }
}

/** The address of a database through the pooler. */
export const throughPooler = (url: string, { port }: Pick<PgBouncer, 'port'>) =>
  Object.assign(new URL(url), { port: String(port) }).href
