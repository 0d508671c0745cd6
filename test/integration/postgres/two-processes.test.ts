import t from 'tap'
import { build, postgresUrl, redisUrl } from '../../helper.js'
import { Assistant, assistantOf } from '../oauth/assistant.js'
import { file } from '../safes/open.js'

t.test('what one process writes is visible to another at its next request', async t => {
  const env = { DATABASE_URL: await postgresUrl(t), REDIS_URL: await redisUrl() }
  const [one, other] = [await build(t, { env }), await build(t, { env })]
  const { assistant, id: ann } = await assistantOf(one)
  const { id } = await one.safes.create(ann, 'Team')
  const ask = async () =>
    (await other.safes.questions.ask(ann, id, { query: 'Who leads the harbour?' })).facts
  const line = (from: string) =>
    JSON.stringify({ type: 'relation', from, to: 'harbour', relationType: 'leads' })
  await one.safes.imports.add(ann, id, file('a.jsonl', line('Ada')))
  t.match(await ask(), [{ subject: 'Ada' }])
  const second = await one.safes.imports.add(ann, id, file('b.jsonl', line('Bob')))
  // The earlier index answers only until the new one is read.
  while ((await ask()).length < 2) await new Promise(done => setTimeout(done, 10))
  t.same((await ask()).map(({ subject }) => subject).sort(), ['Ada', 'Bob'])
  await one.safes.imports.undo(ann, id, second.id)
  t.same(
    (await ask()).map(({ subject }) => subject),
    ['Ada'],
    'undone imports no longer appear in answers',
  )

  const there = new Assistant(other)
  there.clientId = assistant.clientId
  const tokens = await assistant.connect()
  t.ok(await there.works(tokens.access_token))
  await one.oauth.connections.revokeAll(ann)
  t.notOk(await there.works(tokens.access_token), 'a revoked connection is refused everywhere')
})
