import t, { type Test } from 'tap'
import { build } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { assistantOf, BASE, CALLBACK, type Fields } from '../oauth/assistant.js'
import { type FormFields, hiddenFields } from '../pages/browser.js'

const READERS = ['svc_list_safes', 'svc_select_safe', 'svc']
const CHATGPT = 'https://chatgpt.com/connector_platform_oauth_redirect'

async function open(t: Test, env: Record<string, string> = {}) {
  const app = await build(t, { env })
  const { assistant } = await assistantOf(app, 'ann@a.example', [CALLBACK, CHATGPT])
  const connect = async (choice: FormFields = {}, changes: Fields = {}) => {
    const code = await assistant.code(changes, choice)
    const { redirect_uri } = changes
    const redeemed = await assistant.redeem(code, redirect_uri === undefined ? {} : { redirect_uri })
    const { access_token, scope } = redeemed.json()
    const access = await app.oauth.authenticate(access_token, null)
    const post = async (method: string, params?: object) => {
      const { body } = await app.inject({
        method: 'POST',
        url: '/mcp/v1',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        payload: JSON.stringify(rpc(1, method, params)),
      })
      return JSON.parse(body)
    }
    const tools = async () =>
      (await post('tools/list')).result.tools.map(({ name }: { name: string }) => name)
    const page = `/connections/${access?.connectionId}`
    const turn = async (power: FormFields) => {
      const { body } = await assistant.browser.get(page)
      const fields = hiddenFields(body, `${page}/powers`)
      return assistant.browser.post(
        `${page}/powers`,
        { ...fields, propose: [], search: [], ...power },
        { origin: BASE },
      )
    }
    return { scope, post, tools, turn, page }
  }
  const shown = async (changes: Fields = {}) =>
    (await assistant.browser.get(await assistant.consentPage(changes))).body
  return { app, assistant, connect, shown }
}

t.test('R6 proposing is offered to every assistant, unticked, and given when it is ticked', async t => {
  const { connect, shown } = await open(t)
  t.match(await shown(), /<input type="checkbox" name="propose" value="yes">/)
  t.same(await (await connect()).tools(), READERS)
  const ticked = await connect({ propose: 'yes' })
  t.same([ticked.scope, await ticked.tools()], ['vault:read', [...READERS, 'svc_propose']], 'it is no scope')
  const both = { scope: 'vault:read vault:write' }
  const asking = await connect({ propose: 'yes' }, both)
  t.same([asking.scope, await asking.tools()], [both.scope, [...READERS, 'svc_propose']])
  const refused = await connect({}, both)
  t.same([refused.scope, await refused.tools()], ['vault:read', READERS])
})

t.test('R6 its page gives and takes it, and the next request obeys', async t => {
  const { connect, assistant } = await open(t)
  const { tools, turn, post, page } = await connect({}, { scope: 'vault:read vault:write' })
  const call = () => post('tools/call', { name: 'svc_propose', arguments: { statements: [] } })
  t.match(await call(), { error: { code: -32602 } }, 'an unknown tool')
  t.equal((await turn({ propose: 'yes' })).statusCode, 303)
  t.same(await tools(), [...READERS, 'svc_propose'])
  t.match(await call(), { result: { isError: true } })
  t.match((await assistant.browser.get(page)).body, /Switch off: May propose changes/)
  await turn({ propose: 'no' })
  t.same(await tools(), READERS)
  t.match(await call(), { error: { code: -32602 } })
})

t.test('R6 with PROPOSALS=off nobody is asked and nobody may', async t => {
  const { connect, shown, assistant } = await open(t, { PROPOSALS: 'off' })
  t.notMatch(await shown(), 'name="propose"')
  const { tools, page } = await connect({ propose: 'yes' })
  t.same(await tools(), READERS)
  t.notMatch((await assistant.browser.get(page)).body, 'May propose')
})

t.test('R5 search and fetch are listed to ChatGPT, and to connections that switched them on', async t => {
  const { connect } = await open(t)
  const chatgpt = await connect({}, { redirect_uri: CHATGPT })
  t.same(await chatgpt.tools(), [...READERS, 'search', 'fetch'])
  const other = await connect({ propose: 'yes' })
  t.match(await other.post('tools/call', { name: 'search', arguments: { query: 'x' } }), {
    error: { code: -32602 },
  })
  await other.turn({ search: 'yes' })
  t.same(await other.tools(), [...READERS, 'svc_propose', 'search', 'fetch'])
  await other.turn({ search: 'no' })
  t.same(await other.tools(), [...READERS, 'svc_propose'])
})

t.test('S2 nobody switches the connection of somebody else', async t => {
  const { connect, app } = await open(t)
  const { page, tools } = await connect()
  const { assistant: bob } = await assistantOf(app, 'bob@a.example')
  const { body } = await bob.browser.get('/connections')
  const fields = { ...hiddenFields(body, '/logout'), propose: 'yes' }
  t.ok((await bob.browser.post(`${page}/powers`, fields, { origin: BASE })).statusCode >= 400)
  t.same(await tools(), READERS)
})
