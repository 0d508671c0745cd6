// The service itself, over its own folder, with one account whose Safe contains a small graph. Its arguments: the
// folder, and the URL of Redis or nothing.
import { buildApp } from '../../app.js'
import type { Answer } from '../../domain/safes/ask/answer.js'
import { loadConfig } from '../../plugins/config.js'
import { Assistant } from '../../test/integration/oauth/assistant.js'
import { createSmallSafe } from '../small-safe.js'
import type { TokensHello } from '../token/part.js'
import { ready } from './child.js'
import { CLIENTS } from './rounds.js'

/** The data any client needs. */
export interface ServiceHello extends TokensHello {
  accessToken: string
}

const [folder = '', redisUrl = ''] = process.argv.slice(2)
const app = await buildApp({
  config: loadConfig({ DATA_DIR: folder, REDIS_URL: redisUrl, CALLS_PER_SECOND: '0' }),
})
await app.ready()

const safe = await createSmallSafe(app)

/** About 2 KB as text: the response of the reference, so that the two differ only by the work before it. */
const constant: Answer = {
  safe: { id: safe.id, name: safe.name },
  mode: 'search',
  verdict: 'answered',
  confidence: 1,
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

const grant = { chosenSafeIds: [safe.id] }
const { accessToken } = await app.oauth.issueTokens('ann', { clientName: 'bench', grant })
const assistant = await Assistant.registered(app)
assistant.browser.cookies.set('svc_session', await app.loginSessions.begin('ann'))
const refreshTokens: string[] = []
for (let i = 0; i < CLIENTS; i++) refreshTokens.push((await assistant.connect()).refresh_token)
const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
const hello: ServiceHello = { port, accessToken, clientId: assistant.clientId, refreshTokens }
ready(hello, () => app.close())
