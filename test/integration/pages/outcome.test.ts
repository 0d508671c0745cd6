import t from 'tap'
import { build } from '../../helper.js'
import { Browser, PASSWORD } from './browser.js'

t.test('the page after a change says once what was done, and offers to undo it (UX, The frame)', async t => {
  const app = await build(t)
  const { id } = await app.accounts.add('ann@example.org', PASSWORD)
  const safe = await app.safes.create(id, 'Household')
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const page = `/safes/${safe.id}/settings`
  await browser.submit(page, `/safes/${safe.id}/rename`, { name: 'Home' })
  const said = (await browser.get(page)).body
  t.match(said, 'The Safe is now called “Home”.')
  t.match(said, /<input type="hidden" name="name" value="Household">\s*<button class="link">Undo/)
  t.notMatch((await browser.get(page)).body, 'is now called', 'once')

  await browser.submit(page, `/safes/${safe.id}/rename`, { name: 'Flat' })
  await browser.post('/logout', { _csrf: browser.tokenFor('/logout') })
  t.equal((await browser.signIn('bob@example.org')).statusCode, 303)
  t.notMatch((await browser.get('/safes')).body, 'Flat', 'never to another account')
})
