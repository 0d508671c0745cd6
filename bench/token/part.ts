import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Programs } from '../load/programs.js'
import type { Subject } from '../load/rounds.js'
import { rotating } from './clients.js'

/** The start of rotations: a client that may rotate, and a first refresh token for each connection. */
export interface TokensHello {
  port: number
  clientId: string
  refreshTokens: string[]
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Rotations compared with oidc-provider on the same Redis, and with a bare route. */
export async function tokenSubjects(programs: Programs, redisUrl: string): Promise<Subject[]> {
  const rotation = async (
    name: string,
    path: string,
    program: string,
    ...args: string[]
  ): Promise<Subject> => {
    const started = await programs.start<TokensHello>(file(program), ...args)
    const { clientId, refreshTokens } = started.hello
    let next = 0
    const newClient = () => rotating(path, clientId, refreshTokens[next++] ?? '')
    return { name, program: started, work: 'rotation', newClient }
  }
  const ours = (setUp: string, ...args: string[]) => {
    const folder = join(programs.folder, `tokens-${setUp}`)
    return rotation(`${setUp}: refresh rotation`, '/oauth/token', '../load/service.js', folder, ...args)
  }
  const reference = await rotation('bare route, one Lua script', '/token', 'script-route.js', redisUrl)
  const rival = await rotation('oidc-provider: refresh rotation', '/token', 'oidc-provider.js', redisUrl)
  return [
    { ...reference, role: 'reference' },
    await ours('redis', redisUrl),
    await ours('embedded'),
    { ...rival, role: 'rival' },
  ]
}
