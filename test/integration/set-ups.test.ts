import t, { type Test } from 'tap'
import { build, everySetUp } from '../helper.js'
import { addLighthouse } from '../lighthouse.js'
import { rpc } from '../unit/mcp/domain.js'
import { type Assistant, assistantOf } from './oauth/assistant.js'

for (const setUp of everySetUp) {
  t.test(
    `${setUp}: an assistant registers, is approved, asks, refreshes and is revoked (DESIGN §4)`,
    async t => {
      const app = await build(t, { setUp })
      const { assistant, id: ann } = await assistantOf(app)
      const safe = await addLighthouse(app, ann)

      const code = await assistant.code({}, { safe: safe.id })
      const first = (await assistant.redeem(code)).json()
      t.match(await question(assistant, first.access_token), /Jonas Lindqvist/)
      t.equal((await assistant.redeem(code)).json().error, 'invalid_grant', 'a code is used once')

      const second = (await assistant.refresh(first.refresh_token)).json()
      t.match(await question(assistant, second.access_token), /Jonas Lindqvist/)
      t.equal(
        (await assistant.refresh(first.refresh_token)).json().error,
        'invalid_grant',
        'and so is a refresh token',
      )

      await endsWithItsUser(t, assistant, second)
    },
  )
}

async function question({ app }: Assistant, accessToken: string): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const payload = rpc(1, 'tools/call', {
    name: 'svc',
    arguments: { query: 'Who leads the Lens Restoration?' },
  })
  return (await app.inject({ method: 'POST', url: '/mcp/v1', headers, payload })).body
}

/** Its user ends the connection on the page, and neither token works any more. */
async function endsWithItsUser(
  t: Test,
  assistant: Assistant,
  tokens: { access_token: string; refresh_token: string },
) {
  t.ok(await assistant.works(tokens.access_token))
  const action = `/connections/${tokens.access_token.split('_')[2]}/revoke`
  t.equal((await assistant.browser.submit('/connections', action)).statusCode, 303)
  t.notOk(await assistant.works(tokens.access_token))
  t.equal((await assistant.refresh(tokens.refresh_token)).json().error, 'invalid_grant')
}
