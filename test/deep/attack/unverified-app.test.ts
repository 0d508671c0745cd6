import t from 'tap'
import { open } from '../../integration/pages/open.js'
import { rpc } from '../../unit/mcp/domain.js'

const MARK = '<span class="tag warn">unverified</span>'

t.test('an app that only calls itself Claude is marked wherever its name stands (ADR 53)', async t => {
  const { app, browser, id } = await open(t, { env: { PROPOSALS: 'inbox' } })
  const safe = await app.safes.createSample(id)
  const scope = ['vault:read', 'vault:write']
  const { accessToken } = await app.oauth.issueTokens(id, {
    clientName: 'Claude',
    grant: { scope },
  })
  const call = (name: string, args: object) =>
    app.inject({
      method: 'POST',
      url: '/mcp/v1',
      headers: { authorization: `Bearer ${accessToken}`, 'mcp-protocol-version': '2025-06-18' },
      payload: rpc(1, 'tools/call', { name, arguments: { ...args, safe: safe.id } }),
    })
  await call('svc', { query: 'Jonas Lindqvist' })
  const statement = { subject: 'Ada', predicate: 'lives in', object: 'Graz' }
  const proposed = await call('svc_propose', { statements: [statement] })
  await app.activity.flush()
  await app.accounts.noteQuestion(id)
  const inbox = `/safes/${safe.id}/proposals`
  const proposal = new URL(proposed.json().result.structuredContent.review_url).pathname
  const pages = [
    ...['/', '/activity', `/safes/${safe.id}`, `/safes/${safe.id}/activity`],
    ...[`/safes/${safe.id}/things/jonas%20lindqvist`, inbox, proposal, '/connections'],
  ]
  const marked = async () => {
    const found = []
    for (const page of pages) if ((await browser.get(page)).body.includes(MARK)) found.push(page)
    return found
  }
  t.strictSame(await marked(), pages)
  const verify = (client_verified: number) =>
    app.database.write(trx => trx.updateTable('connections').set({ client_verified }).execute())
  await verify(1)
  t.strictSame(await marked(), [], 'a verified app is not')
  await verify(0)
  const [{ id: waiting = '' } = {}] = await app.proposals.pending(id, safe.id, { limit: 1 })
  await app.proposals.reject(id, safe.id, waiting, 'always')
  t.match((await browser.get(inbox)).body, MARK, 'nor is it trusted among those that are rejected')
})
