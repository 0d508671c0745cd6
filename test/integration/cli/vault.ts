import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { migratedDataDir } from '../../helper.js'
import { type openBuiltServer, openMachine, type openServer } from './remote.js'
import { runHere } from './svc.js'

/** A folder of notes in `home`, and a function that writes one. */
export function vaultIn(home: string) {
  const folder = join(home, 'vault')
  mkdirSync(folder)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, write }
}

/** An installation without a server, with an account of ann@a.example that owns the Safe Notes. */
export async function openInstallation(t: Test, env: Record<string, string> = {}) {
  const place = await migratedDataDir(t)
  const svc = (...args: string[]) => runHere(place, args, '', env)
  await runHere(place, ['account', 'add', 'ann@a.example', '--password-stdin'], 'a long password\n', env)
  const safe = (await svc('safe', 'add', 'Notes', '--owner', 'ann@a.example')).stdout.trim()
  return { place, svc, safe }
}

/** A machine that is signed in to the server, with a folder of notes. */
export async function openVault<
  Server extends Awaited<ReturnType<typeof openServer | typeof openBuiltServer>>,
>(t: Test, server: Server) {
  const machine = openMachine(t)
  const done = await machine.login(server.url)
  if (done.code !== 0) throw new Error(done.stderr)
  return { server, machine, ...vaultIn(machine.home) }
}
