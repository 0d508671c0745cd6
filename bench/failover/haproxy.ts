import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/free-port.js'

/** HAProxy as docs/proxies.md has it, without TLS, in front of two processes that it asks every half second. */
export async function startHaproxy(
  folder: string,
  port: number,
  targets: readonly number[],
): Promise<ChildProcess> {
  const statsPort = await freePort()
  const servers = targets.map(
    (target, i) => `  server s${i} 127.0.0.1:${target} check inter 500ms fall 1 rise 1`,
  )
  const file = join(folder, 'haproxy.cfg')
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 120s',
    '  timeout server 120s',
    '  option forwardfor',
    '  option redispatch',
    'frontend safes',
    `  bind 127.0.0.1:${port}`,
    '  default_backend svc',
    'frontend stats',
    `  bind 127.0.0.1:${statsPort}`,
    '  stats enable',
    '  stats uri /',
    'backend svc',
    '  option httpchk GET /readyz',
    ...servers,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  while (!(await areUp(statsPort, targets.length))) {
    if (child.exitCode !== null) throw new Error('HAProxy did not start')
    await pause(50)
  }
  return child
}

async function areUp(statsPort: number, count: number): Promise<boolean> {
  const csv = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then(
    answer => answer.text(),
    () => '',
  )
  return [...csv.matchAll(/^svc,s\d.*,UP,/gm)].length === count
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
