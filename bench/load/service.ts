// The service itself, over a folder of its own, with one account whose Safe holds a small graph. Its arguments: the
// folder, the URL of Redis or nothing, and 'log' for its log as it is shipped.

import { buildApp } from '../../app.js'
import { loggerOptions } from '../../common/logger.js'
import { newSecret } from '../../common/secrets.js'
import { loadConfig } from '../../plugins/config.js'
import type { Answer } from '../../safes/ask/answer.js'
import { createSmallSafe } from '../small-safe.js'
import { ready } from './child.js'

/** What a client of any kind needs. */
export interface ServiceHello {
  port: number
  accessToken: string
  clientId: string
  /** Cookies of browsers in which the account is signed in, one for each client. */
  cookies: string[]
}

const [folder = '', redisUrl = '', log] = process.argv.slice(2)
const env = {
  DATA_DIR: folder,
  REDIS_URL: redisUrl,
  CALLS_PER_SECOND: '0',
}
const config = loadConfig(env)
const app = await buildApp({ config, logger: log === 'log' && loggerOptions(config) })
await app.ready()

const safe = await createSmallSafe(app)
// `svc_list_safes` lists two.
await app.safes.create('ann', 'Empty')

/** About 2 KB as text: what the reference returns, so that the two differ by the work before it. */
const constant: Answer = {
  safe: { id: safe.id, name: safe.name },
  mode: 'search',
  linked: [],
  facts: [],
  passages: [{ id: 'p1', title: 'constant', text: 'x'.repeat(1500), source: 'bench', score: 1 }],
  entities: [],
  total: 1,
  truncated: false,
  next_cursor: null,
  hints: [],
}
const ask = app.safes.questions.ask.bind(app.safes.questions)
app.safes.questions.ask = async (accountId, safeId, question) => {
  if (question.query !== 'constant') return ask(accountId, safeId, question)
  await app.safes.membership(accountId, safeId)
  return constant
}

const { accessToken } = await app.oauth.issueTokens('ann', {
  clientName: 'bench',
  grant: { chosenSafeIds: [safe.id] },
})
const client = await app.oauth.clients.register({
  redirect_uris: ['https://assistant.example/cb'],
  client_name: 'Assistant',
})
const cookies: string[] = []
for (let i = 0; i < 50; i++) {
  const session = await app.loginSessions.begin('ann')
  cookies.push(`svc_session=${session}; svc_browser=${newSecret()}`)
}
const address = await app.listen({ port: 0, host: '127.0.0.1' })
const hello: ServiceHello = {
  port: Number(new URL(address).port),
  accessToken,
  clientId: client.id,
  cookies,
}
ready(hello, () => app.close())
