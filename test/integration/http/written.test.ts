import t from 'tap'
import { build } from '../../helper.js'
import { stored, traces } from '../../written.js'
import { Assistant } from '../oauth/assistant.js'

for (const [name, read] of Object.entries({ stored, traces })) {
  t.test(`every write of a flow shows in what \`${name}\` returns`, async t => {
    const app = await build(t)
    const assistant = new Assistant(app)
    let before = await read(app)
    const changes = async (name: string, step: () => Promise<unknown>) => {
      await step()
      const after = await read(app)
      t.notSame(after, before, name)
      t.same(await read(app), after, 'and reading changes nothing')
      before = after
    }
    await changes('an account and its login session', () => assistant.browser.signIn('ann@a.example'))
    await changes('a client', async () => {
      const registered = await assistant.register({ redirect_uris: ['https://assistant.example/cb'] })
      assistant.clientId = registered.json().client_id
    })
    const page = await assistant.consentPage()
    t.same(await read(app), before, 'an authorization request is kept by its browser (ADR 5)')
    let code = ''
    await changes('a connection and its code', async () => {
      const { headers } = await assistant.decide(page, { decision: 'approve' })
      code = new URL(String(headers.location)).searchParams.get('code') ?? ''
    })
    let token = ''
    await changes('tokens', async () => {
      token = (await assistant.redeem(code)).json().access_token
    })
    await changes('the end of a token', () => assistant.revoke(token))
    await app.database.write(async trx => {
      await trx.updateTable('connections').set({ calls: 7, last_used_at: 7 }).execute()
      await trx.insertInto('throttles').values({ key: 'k', count: 1, expires_at: 0 }).execute()
    })
    t.same(await read(app), before, 'usage and counters do not count')
    await changes('an update', () =>
      app.database.write(trx => trx.updateTable('connections').set({ client_name: 'x' }).execute()),
    )
  })
}
