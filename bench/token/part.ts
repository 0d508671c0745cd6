import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Program, Programs } from '../load/programs.js'
import type { Subject } from '../load/rounds.js'
import type { ServiceHello } from '../load/service.js'
import {
  type AuthorizationServer,
  Browser,
  connecting,
  post,
  redeem,
  refreshTokenOf,
  rotating,
} from './clients.js'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Rotations and whole code flows beside oidc-provider on the same Redis, and rotations beside a bare route. */
export async function tokenSubjects(programs: Programs, redisUrl: string): Promise<Subject[]> {
  const service = (name: string, ...args: string[]) =>
    programs.start<ServiceHello>(file('../load/service.js'), join(programs.folder, name), ...args)
  const bare = await programs.start(file('script-route.js'), redisUrl)
  const redis = await service('tokens-redis', redisUrl)
  const embedded = await service('tokens-embedded')
  const rival = await programs.start(file('oidc-provider.js'), redisUrl)
  const rivalServer = (clientId: string) => ({ authorizePath: '/auth', tokenPath: '/token', clientId })
  return [
    {
      name: 'bare route, one Lua script',
      program: bare,
      role: 'reference',
      work: 'rotation',
      newClient: () =>
        rotating({ tokenPath: '/token', clientId: 'bare' }, async connection =>
          refreshTokenOf(await post(connection, '/begin', {}), 'none'),
        ),
    },
    ...ours('redis', redis),
    ...ours('embedded', embedded),
    { ...rotation('oidc-provider', rival, () => rivalServer('granted')), role: 'rival' },
    { ...flow('oidc-provider', rival, () => rivalServer('asks')), role: 'rival' },
    { ...flow('oidc-provider, nobody asked', rival, () => rivalServer('granted')), work: '' },
  ]
}

function ours(setUp: string, program: Program<ServiceHello>): Subject[] {
  const { clientId, cookies } = program.hello
  let next = 0
  const server = () => ({
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    clientId,
    cookies: cookies[next++ % cookies.length] ?? '',
  })
  return [rotation(setUp, program, server), flow(setUp, program, server)]
}

function rotation(name: string, program: Program, newServer: () => AuthorizationServer): Subject {
  const newClient = () => {
    const server = newServer()
    const browser = new Browser(server)
    return rotating(server, async connection => redeem(connection, server, await browser.code(connection)))
  }
  return { name: `${name}: refresh rotation`, program, work: 'rotation', newClient }
}

function flow(name: string, program: Program, newServer: () => AuthorizationServer): Subject {
  return { name: `${name}: code flow`, program, work: 'flow', newClient: () => connecting(newServer()) }
}
