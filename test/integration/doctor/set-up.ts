import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { examine } from '../../../domain/doctor/examine.js'
import type { CheckName, Level } from '../../../domain/doctor/finding.js'
import type { Installation } from '../../../domain/doctor/installation.js'
import { PublicAddress } from '../../../domain/doctor/public-address.js'
import { createFetchDocument } from '../../../domain/oauth/clients/document-fetch.js'
import { type BuildOptions, build } from '../../helper.js'
import { type Certificate, type ReverseProxy, startProxy } from './proxy.js'

/** The service behind a correct proxy that terminates TLS; embedded, because Redis without a disk is a finding. */
export async function behindProxy(t: Test, tls: Certificate, { env, ...options }: BuildOptions = {}) {
  const proxy = await startProxy(t, tls)
  const baseUrl = `https://localhost:${proxy.port}`
  const app = await build(t, {
    setUp: 'embedded',
    ...options,
    env: { BASE_URL: baseUrl, TRUST_PROXY: 'loopback', ...env },
  })
  proxy.target = await listen(app)
  return { app, proxy, baseUrl }
}

export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** The input of `svc doctor` on the machine of this service. */
export function installationOf(
  app: FastifyInstance,
  ca: string | undefined,
  { settings = {}, ...changes }: Partial<Omit<Installation, 'settings'>> & { settings?: object } = {},
): Installation {
  const all = { ...app.config, ...settings }
  return {
    settings: all,
    address: new PublicAddress(all.baseUrl, ca),
    database: async () => app.database.read,
    redis: async () => app.redis,
    keyFor: async () => app.keyFor,
    unknownSettings: [],
    fetchDocument: createFetchDocument(),
    clock: Date.now,
    ...changes,
  }
}

/** Each finding as its check, its level and its problem. "Backups are off" is omitted. */
export async function found(installation: Installation): Promise<[CheckName, Level, string][]> {
  const { results } = await examine(installation)
  return results.flatMap(({ check, findings }) =>
    findings
      .filter(({ level }) => level !== 'note')
      .map(({ level, what }): [CheckName, Level, string] => [check, level, what]),
  )
}

/** The proxy as it was before. */
export function restoring(t: Test, proxy: ReverseProxy): void {
  const before = { ...proxy }
  t.teardown(() => Object.assign(proxy, before))
}
