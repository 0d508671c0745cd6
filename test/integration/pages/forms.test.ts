import t, { type Test } from 'tap'
import { build } from '../../helper.js'
import { traces } from '../../written.js'
import { Browser } from './browser.js'
import { fillAll, forms } from './filled.js'

/** Forms that change nothing in the service: the checks, and a choice that the browser stores. */
const STORING_NOTHING = new Set(['/system/check', '/account/display'])
/** Forms that show the results of checks, a token once, and an id. */
const SHOWING = new Set(['/system/check', '/account/programs', '/connections/apps'])

t.test('C5 every form works from its page, and answers with 303', async t => {
  let service = await openAll(t)
  for (const index of forms({} as never).keys()) {
    // An earlier form may have ended the target of this one.
    if (!(await isOffered(service, index))) service = await openAll(t)
    const { app, browser, filled } = service
    const [page, action, fields] = forms(filled)[index]!
    const before = await traces(app)
    const done = await browser.submit(page, action, fields)
    if (/\/(?:invite|reset)$/.test(action))
      t.match(done.body, /https:\/\/safes\.example\/(?:invite|reset)\?token=\w{43}"/, action)
    // The checks change nothing.
    else t.equal(done.statusCode, SHOWING.has(action) ? 200 : 303, action)
    if (!STORING_NOTHING.has(action)) t.notSame(await traces(app), before, `${action} did something`)
  }
})

async function openAll(t: Test) {
  const app = await build(t)
  const browser = new Browser(app)
  const filled = await fillAll(app, browser)
  await app.oauth.issueTokens(filled.ann.id, { clientName: 'Cursor' })
  return { app, browser, filled }
}

async function isOffered({ browser, filled }: Awaited<ReturnType<typeof openAll>>, index: number) {
  const [page, action] = forms(filled)[index]!
  return (await browser.get(page)).body.includes(`method="post" action="${action}"`)
}
