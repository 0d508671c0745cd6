import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { build, testClock } from '../../helper.js'
import { Authenticator } from '../../integration/accounts/authenticator.js'
import { FLOW_ENV, wholeFlow } from '../../integration/redis/flow.js'
import { startRedis } from '../../integration/redis/servers.js'
import { startProvider } from '../openid/openid-provider.js'

const PLACEHOLDERS: Record<string, string> = {
  '<hash>': '[\\w-]{43}',
  '<id>': '[\\w-]{22}',
  '<connection>': '[0-9A-Za-z]{22}',
  '<account>': '[0-9A-Za-z]{22}',
  '<address>': '[\\da-f.:/]+',
}
const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600, days: 86_400 }

/** The rows of the document's table: the form of keys and their maximum lifetime, in milliseconds. */
function documented() {
  const text = readFileSync(new URL('../../../docs/redis-keys.md', import.meta.url), 'utf8')
  return [...text.matchAll(/^\| `([^`]+)` \| (\d+) (\w+) \|/gm)].map(([, name = '', amount, unit = '']) => {
    const literal = name.replace(/[{}/.]/g, '\\$&')
    const pattern = literal.replace(/<\w+>/g, placeholder => PLACEHOLDERS[placeholder] ?? placeholder)
    return { name, pattern: new RegExp(`^${pattern}$`), lifeMs: Number(amount) * (UNITS[unit] ?? 0) * 1000 }
  })
}

t.test('DESIGN §4 every key has a TTL and is in docs/redis-keys.md, and every row of it is met', async t => {
  const server = await startRedis(t)
  const clock = testClock(Date.now())
  const provider = await startProvider(t)
  const app = await build(t, { clock, env: { ...FLOW_ENV, ...provider.env, REDIS_URL: server.url } })
  const rows = documented()
  /** By row, the longest lifetime seen. */
  const seen = new Map<string, number>()
  const strangers = new Set<string>()
  const inspect = async () => {
    for (const named of (await server.ask('keys', '*')) as string[]) {
      const key = named.replace(/^[0-9A-Za-z]{22}:/, '')
      t.not(key, named, 'it begins with the id of the installation')
      const left = Number(await app.redis?.pttl(key))
      const row = rows.find(({ pattern }) => pattern.test(key))
      // -2: it has expired since it was listed.
      if (!row || left === -1 || left > row.lifeMs) strangers.add(`${key} ${left}`)
      else seen.set(row.name, Math.max(left, seen.get(row.name) ?? 0))
    }
  }
  await usePasskey(app)
  const { url, state, sealed } = await app.providerSignIn!.begin({}, 'a browser')
  const begun = app.providerSignIn!.open(sealed, ['a browser'])!
  t.equal(begun.state, state)
  await app.providerSignIn!.complete(begun, new URL(await provider.visit(url)).search.slice(1), '127.0.0.1')
  await app.mailLimits.countResetRequest('127.0.0.1')
  await app.mailLimits.mayReset('ann@a.example')
  await app.mailLimits.mayNotify('a'.repeat(22))
  await app.mailLimits.mayInvite('a'.repeat(22), null)
  await app.mailLimits.mayInvite('a'.repeat(22), 'b'.repeat(22))
  await signUp(app)
  await app.mailLimits.mayWarnOfBackups()
  await inspect()
  await wholeFlow(t, { app, clock, inspect })

  t.ok(rows.length > 10, 'the table was read')
  t.strictSame([...strangers], [], 'undocumented, or with another life')
  for (const { name, lifeMs } of rows) {
    t.ok((seen.get(name) ?? 0) > 0.9 * lifeMs, `${name} lives as long as the document says`)
  }
})

/** Creates an account with the invitation of a member. */
async function signUp({ accounts }: FastifyInstance) {
  await accounts.add('first@a.example', 'a password for the tests')
  const { id } = await accounts.add('member@a.example', 'a password for the tests')
  const token = await accounts.invitations.create('invited@a.example', id)
  await accounts.invitations.accept(token, 'invited@a.example', 'a password for the tests')
}

/** Adds a passkey, which uses up its challenge. */
async function usePasskey({ accounts, passkeys }: FastifyInstance) {
  const account = await accounts.add('kay@a.example', 'a password for the tests')
  const options = await passkeys!.creationOptions(account, 'a browser')
  await passkeys!.add(account.id, 'Phone', new Authenticator().create(options), ['a browser'])
}
