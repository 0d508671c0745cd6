import t from 'tap'
import { build, setUps } from '../../helper.js'
import { stored } from '../../written.js'
import { Assistant } from '../oauth/assistant.js'

for (const setUp of setUps) {
  t.test(`whatever a flow writes is seen, in either store: ${setUp}`, async t => {
    const app = await build(t, { setUp })
    const assistant = new Assistant(app)
    let before = await stored(app)
    const changes = async (name: string, step: () => Promise<unknown>) => {
      await step()
      const after = await stored(app)
      t.notSame(after, before, name)
      t.same(await stored(app), after, 'and looking changes nothing')
      before = after
    }
    await changes('an account and its login session', () => assistant.browser.signIn('ann@a.example'))
    await changes('a client', async () => {
      const registered = await assistant.register({ redirect_uris: ['https://assistant.example/cb'] })
      assistant.clientId = registered.json().client_id
    })
    const page = await assistant.consentPage()
    t.same(await stored(app), before, 'an authorization request is kept by its browser (ADR 26)')
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
  })
}
