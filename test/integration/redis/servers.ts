import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { dataDir } from '../../data-dir.js'
import { freePort } from '../../free-port.js'
import { until } from '../../until.js'

/** A redis-server of this test only, so that it can be stopped, stalled and killed. */
export class Server {
  readonly port: number
  readonly folder: string
  readonly #args: string[]
  readonly #tls: Tls | undefined
  #process: ChildProcess | undefined

  constructor(port: number, args: string[], tls?: Tls) {
    this.port = port
    this.#tls = tls
    this.folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
    this.#args = [...args, '--bind', '127.0.0.1', '--dir', this.folder, '--save', '']
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it; after `kill`, with the same arguments and folder. */
  start(): void {
    this.#process = spawn('redis-server', this.#args, { cwd: this.folder, stdio: 'ignore' })
  }

  /** At once, without time to save. */
  async kill(): Promise<void> {
    if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode) return
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await exited
  }

  /** Stops its answers, with open sockets, until `wake`. */
  stall(): void {
    this.#process?.kill('SIGSTOP')
  }

  wake(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Sends a command over its own connection, like redis-cli. */
  async ask(command: string, ...args: (string | number)[]): Promise<unknown> {
    const redis = new Redis(this.port, '127.0.0.1', {
      retryStrategy: () => 20,
      maxRetriesPerRequest: 500,
      ...(this.#tls && { tls: { ca: this.#tls.ca, servername: 'localhost' } }),
    }).on('error', () => {})
    try {
      return await redis.call(command, ...args)
    } finally {
      redis.disconnect()
    }
  }
}

/** Options of servers that speak TLS only, and the trusted authority. */
export interface Tls {
  args: string[]
  ca: string
  caFile: string
}

/** Starts a server and waits until it answers; it ends with the test. */
export const startRedis = (t: Test, ...args: string[]): Promise<Server> => start(t, args)

async function start(t: Test, args: string[], tls?: Tls): Promise<Server> {
  const port = await freePort()
  const server = prepare(t, port, [...listening(port, tls), ...args], tls)
  server.start()
  await server.ask('ping')
  return server
}

const listening = (port: number, tls?: Tls) =>
  tls ? ['--tls-port', String(port), '--port', '0', ...tls.args] : ['--port', String(port)]

/** One that speaks TLS only. It asks for a password, so the test only waits for an open port. */
export async function startTlsRedis(t: Test, tls: Tls, ...args: string[]): Promise<number> {
  const port = await freePort()
  prepare(t, port, [...listening(port, tls), ...args]).start()
  await answered(port)
  return port
}

/** A certificate for `names` ("DNS:localhost"), and its authority. */
export function makeTls(t: Test, names: string): Tls {
  // Not t.testdir(), which belongs to the process: another file may use the same name.
  const folder = dataDir(t)
  writeFileSync(join(folder, 'san.ext'), `subjectAltName=${names}`)
  const openssl = (line: string) => execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' })
  // Not RSA, because making an RSA key takes half a second.
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  openssl(`req -x509 ${key} -keyout ca.key -out ca.crt -days 1 -subj /CN=test-ca`)
  openssl(`req ${key} -keyout redis.key -out redis.csr -subj /CN=localhost`)
  openssl(
    'x509 -req -in redis.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out redis.crt -days 1 -extfile san.ext',
  )
  const files = [
    '--tls-cert-file',
    'redis.crt',
    '--tls-key-file',
    'redis.key',
    '--tls-ca-cert-file',
    'ca.crt',
  ]
  const paths = files.map((file, i) => (i % 2 ? join(folder, file) : file))
  const among = ['--tls-auth-clients', 'no', '--tls-cluster', 'yes', '--tls-replication', 'yes']
  const caFile = join(folder, 'ca.crt')
  return { args: [...paths, ...among], ca: readFileSync(caFile, 'utf8'), caFile }
}

/** A cluster of three primaries on loopback, and `replicas` of the first. */
export async function startCluster(t: Test, replicas = 0, tls?: Tls): Promise<Server[]> {
  const nodes = await Promise.all(Array.from({ length: 3 + replicas }, () => startNode(t, tls)))
  const bounds = [0, 5461, 10923, 16384]
  const slots = (i: number) => [bounds[i] ?? 0, (bounds[i + 1] ?? 0) - 1]
  await Promise.all(
    nodes.slice(0, 3).map((node, i) => node.server.ask('cluster', 'addslotsrange', ...slots(i))),
  )
  for (const { server } of nodes) {
    for (const other of nodes) {
      if (other.server !== server)
        await server.ask('cluster', 'meet', '127.0.0.1', other.server.port, other.bus)
    }
  }
  const servers = nodes.map(({ server }) => server)
  const all = new RegExp(`cluster_state:ok[^]*cluster_known_nodes:${nodes.length}\\D`)
  for (const server of servers) await until(async () => all.test(String(await server.ask('cluster', 'info'))))
  const firstId = String(await servers[0]?.ask('cluster', 'myid'))
  for (const replica of servers.slice(3)) {
    await replica.ask('cluster', 'replicate', firstId)
    await until(() => isInStep(replica))
  }
  return servers
}

async function startNode(t: Test, tls?: Tls) {
  const bus = await freePort()
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-node-timeout', '500']
  return { bus, server: await start(t, [...cluster, '--appendonly', 'yes'], tls) }
}

const isInStep = async (replica: Server) =>
  String(await replica.ask('info', 'replication')).includes('master_link_status:up')

/** A primary, a replica of it, and three sentinels that call the primary `mymaster` and fail over after half a second. */
export async function startSentinels(t: Test, tls?: Tls) {
  const primary = await start(t, [], tls)
  const replica = await start(t, ['--replicaof', '127.0.0.1', String(primary.port)], tls)
  await until(() => isInStep(replica))
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(t, primary.port, tls)))
  for (const sentinel of sentinels) {
    await until(async () => {
      const [, replicas, others] =
        /slaves=(\d+),sentinels=(\d+)/.exec(String(await sentinel.ask('info', 'sentinel'))) ?? []
      return replicas === '1' && others === '3'
    })
  }
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const names = async (sentinel: Server) =>
    (await sentinel.ask('sentinel', 'get-master-addr-by-name', 'mymaster')) as [string, string]
  return {
    primary,
    replica,
    url: `redis+sentinel://${hosts}/mymaster`,
    /** Waits until all sentinels name the replica and have notified their clients, which then reconnect. */
    async promoted() {
      for (const sentinel of sentinels)
        await until(async () => (await names(sentinel))[1] === String(replica.port))
      await sleep(500)
    },
  }
}

async function startSentinel(t: Test, primaryPort: number, tls?: Tls): Promise<Server> {
  const port = await freePort()
  const sentinel = prepare(t, port, ['sentinel.conf', '--sentinel', ...listening(port, tls)], tls)
  const lines = [
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 2`,
    'sentinel down-after-milliseconds mymaster 500',
    'sentinel failover-timeout mymaster 2000',
  ]
  writeFileSync(join(sentinel.folder, 'sentinel.conf'), lines.join('\n'))
  sentinel.start()
  await sentinel.ask('ping')
  return sentinel
}

function prepare(t: Test, port: number, args: string[], tls?: Tls): Server {
  const server = new Server(port, args, tls)
  t.teardown(async () => {
    await server.kill()
    rmSync(server.folder, { recursive: true, force: true })
  })
  return server
}

/** Waits until a replica has everything that its primary has: these tests do not cover data lost with a primary. */
export async function caughtUp(primary: Server, replica: Server): Promise<void> {
  const offset = async (server: Server, field: string) =>
    new RegExp(`^${field}:(\\d+)`, 'm').exec(String(await server.ask('info', 'replication')))?.[1]
  const goal = Number(await offset(primary, 'master_repl_offset'))
  await until(async () => Number(await offset(replica, 'slave_repl_offset')) >= goal)
}

/** Disconnects the replicas of a primary that keeps running, so that they miss its further writes. */
export async function cutReplication({ port }: Server): Promise<void> {
  const redis = new Redis(port, '127.0.0.1')
  await redis.multi().config('SET', 'requirepass', 'secret').client('KILL', 'TYPE', 'REPLICA').exec()
  redis.disconnect()
}

/** Waits until somebody listens. */
function answered(port: number): Promise<void> {
  return until(
    () =>
      new Promise<boolean>(resolve => {
        const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
        socket.on('connect', () => socket.destroy())
      }),
  )
}
