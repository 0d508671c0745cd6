import { readdirSync } from 'node:fs'
import type { Test } from 'tap'
import { startServer } from '../../built-server.js'
import { dataDir } from '../../data-dir.js'
import { builtFolder } from '../../servers.js'
import { until } from '../../until.js'
import { start } from '../cli/svc.js'
import { certificate, startProxy } from './proxy.js'

/** A built server with backups, behind a proxy that terminates TLS, and `svc doctor` on the same machine. */
export async function healthy(t: Test, stores: Record<string, string>) {
  const tls = certificate(t)
  const proxy = await startProxy(t, tls)
  const backups = dataDir(t)
  const folder = dataDir(t)
  const env = {
    ...stores,
    BASE_URL: `https://localhost:${proxy.port}`,
    TRUST_PROXY: 'loopback',
    BACKUP_DIR: backups,
  }
  const { port } = await startServer(t, await builtFolder(), { DATA_DIR: folder, ...env })
  proxy.target = port
  await until(() => readdirSync(backups).some(name => /^svc-.*\.db$/.test(name)))
  const doctor = async (args: string[] = [], through: string[] = []) => {
    const { ended } = await start(
      folder,
      ['doctor', ...args],
      '',
      { ...env, NODE_EXTRA_CA_CERTS: tls.caFile },
      through,
    )
    return ended
  }
  return { doctor, proxy }
}
