import t from 'tap'
import { oauthTexts } from '../../../domain/oauth/texts.js'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { hiddenFields } from './browser.js'
import { open } from './open.js'

const m = connectionsTexts

t.test('the page of a connection', async t => {
  const { app, browser, id: ann } = await open(t)
  const ids: string[] = []
  for (const name of ['Attic', 'Barn', 'Cellar <b>', 'Den', 'Eaves'])
    ids.push((await app.safes.create(ann, name)).id)
  const [attic, barn, cellar] = ids as [string, string, string]
  const issue = async (grant: object = {}, more: object = {}) =>
    (await app.oauth.issueTokens(ann, { clientName: 'Cursor', grant, ...more })).connectionId
  const post = async (path: string, choice: Record<string, string | string[]>) => {
    const { body } = await browser.get(path)
    return browser.post(path, { _csrf: hiddenFields(body, path)._csrf ?? '', ...choice })
  }

  t.test('limits a connection to all Safes, and leaves what it may propose to the switch', async t => {
    const path = `/connections/${await issue({ scope: ['vault:read', 'vault:write'] })}`
    const before = (await browser.get(path)).body
    t.match(before, /name="only" value="" checked/)
    t.match(before, /name="propose" value="no"/)
    const saved = await post(path, { safe: [attic, cellar], only: 'yes' })
    t.match(saved, { statusCode: 303, headers: { location: `${path}?saved=yes` } })
    const after = (await browser.get(`${path}?saved=yes`)).body
    t.ok(after.includes(m.saved) && after.includes('only Attic, Cellar &lt;b&gt;'))
    t.notMatch(after, /Barn/)
    t.match(after, /name="propose" value="no"/, 'it may still propose')
    t.equal((await post(path, { safe: barn })).statusCode, 400, 'nothing can be added')
    t.equal((await post(path, { safe: [barn, cellar] })).statusCode, 303)
    const least = (await browser.get(path)).body
    t.ok(least.includes('only Cellar &lt;b&gt;') && least.includes(m.least))
  })

  t.test('says what is wrong with a choice, and keeps it', async t => {
    const path = `/connections/${await issue()}`
    for (const [choice, sentence] of [
      [{ only: 'yes' }, oauthTexts.noSafeToLimit],
      [{ safe: 'x'.repeat(22), only: 'yes' }, oauthTexts.notListed],
    ] as const) {
      const { statusCode, body } = await post(path, choice)
      t.equal(statusCode, 400)
      t.ok(body.includes(sentence))
      t.match(body, /name="only" value="yes" checked/)
    }
    t.ok((await browser.get(path)).body.includes(m.allSafes))
  })

  t.test('names a few Safes and counts the others', async t => {
    const path = `/connections/${await issue({ chosenSafeIds: ids, onlyChosenSafe: true })}`
    t.match((await browser.get(path)).body, /only Attic, Barn, Cellar &lt;b&gt; and 2 more/)
  })

  t.test('of a pinned connection has nothing to take away but the power to propose', async t => {
    const scope = ['vault:read', 'vault:write']
    const path = `/connections/${await issue({ scope }, { safeId: attic })}`
    const { body } = await browser.get(path)
    t.notMatch(body, 'name="safe"')
    t.match(body, /name="propose" value="no"/)
    t.ok(body.includes(m.least))
  })

  t.test('of an ended connection says why, and changes nothing', async t => {
    const id = await issue()
    await app.oauth.connections.revoke(ann, id)
    const { body } = await browser.get(`/connections/${id}`)
    t.ok(body.includes(oauthTexts.revocationReasons.byUser) && !body.includes('name="safe"'))
  })

  t.test('ending all asks first and says how many', async t => {
    const open = (await app.oauth.connections.listFor(ann, { kind: 'open' })).length
    const list = (await browser.get('/connections')).body
    t.match(list, /<a class="button danger" href="\/connections\/revoke-all"/)
    t.match(list, /End <span class="hidden-label">the connection to Cursor<\/span>/)
    t.match(list, /<details class="card">\s*<summary>Ended/, 'folded away')
    t.ok((await browser.get('/connections/revoke-all')).body.includes(`End ${open} connections?`))
    t.equal((await browser.submit('/connections/revoke-all', '/connections/revoke-all')).statusCode, 303)
    t.strictSame(await app.oauth.connections.listFor(ann, { kind: 'open' }), [])
    t.equal((await browser.get('/connections/revoke-all')).statusCode, 303, 'nothing left to end')
  })
})
