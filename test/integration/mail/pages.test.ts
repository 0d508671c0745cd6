import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { mailTexts } from '../../../domain/mail/texts.js'
import { accountTexts } from '../../../views/texts/account.js'
import { build, dataDir, testClock } from '../../helper.js'
import { startMailServer } from '../../mail-server.js'
import { Browser, hiddenFields, PASSWORD } from '../pages/browser.js'

const HOUR = 3_600_000
const m = mailTexts

async function open(t: Test, more: Record<string, string> = {}) {
  const { env, mails } = await startMailServer(t)
  const clock = testClock(Date.now())
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const app = await build(t, { clock, log, env: { ...env, ...more } })
  const ann = await app.accounts.add('ann@example.org', PASSWORD)
  /** The messages that have been sent since the last call. */
  const received = async () => {
    await app.mail?.idle()
    return mails.splice(0)
  }
  return { app, clock, ann, received, lines }
}

const linkIn = (text: string, page: string) =>
  new RegExp(`https://safes\\.example(/${page}\\?token=\\w{43})\\n`).exec(text)?.[1] ?? ''

t.test('C9 a forgotten password is set anew with a link by mail', async t => {
  const { app, ann, clock, received, lines } = await open(t)
  const browser = new Browser(app)
  t.match((await browser.get('/login')).body, /href="\/forgot"/)
  const ask = (email: string) => browser.submit('/forgot', '/forgot', { email })
  const known = await ask('Ann@example.org ')
  const unknown = await ask('unknown@example.org')
  const bad = await ask('not an address')
  for (const answer of [known, unknown, bad])
    t.match(answer, { statusCode: 303, headers: { location: '/forgot?sent=yes' }, body: '' })
  t.ok((await browser.get('/forgot?sent=yes')).body.includes(accountTexts.forgot.sent))
  const mails = await received()
  t.equal(mails.length, 1)
  const [mail] = mails
  t.same(mail?.to, ['ann@example.org'])
  t.equal(mail?.headers.get('subject'), m.reset('svc'))
  const link = linkIn(mail?.text ?? '', 'reset')
  const token = link.split('=')[1] ?? 'none'
  t.equal((await browser.submit(link, '/reset', { password: `new ${PASSWORD}` })).statusCode, 303)
  t.ok(await app.accounts.passwords.signIn('ann@example.org', `new ${PASSWORD}`, '::1'))
  const [notice] = (await received()).filter(({ text }) => text.includes('was reset with a link'))
  t.same(notice?.to, ['ann@example.org'], 'and the account hears of it')

  const expired = await app.accounts.passwords.createResetToken(ann.id, 1)
  clock.now += HOUR
  t.equal((await browser.get(`/reset?token=${expired}`)).statusCode, 410)
  const log = lines.join('')
  t.ok(log.length > 0)
  for (const secret of [token, PASSWORD]) t.notMatch(log, secret, 'S1 no secret is in the log')
})

t.test('C9 requests for links are limited by sender and by account', async t => {
  const { app, received } = await open(t)
  const browser = new Browser(app)
  const form = hiddenFields((await browser.get('/forgot')).body, '/forgot')
  const statuses: number[] = []
  for (let i = 0; i < 11; i++)
    statuses.push((await browser.post('/forgot', { ...form, email: 'ann@example.org' })).statusCode)
  t.same(statuses, [...Array(10).fill(303), 429])
  const refused = await browser.post('/forgot', { ...form, email: 'bo@example.org' })
  t.match(refused.headers['retry-after'], /^\d{1,3}$/)
  t.match(refused.body, /role="alert">.*Too many requests/s)
  t.equal((await received()).length, 3, 'three links an hour for one account')
})

t.test('invitations and links of administrators are mailed as well as shown', async t => {
  const { app, ann, received } = await open(t)
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  await received()
  const bo = await app.accounts.add('bo@example.org', PASSWORD)
  const invited = await browser.submit('/people', '/people/invite', { email: 'New@example.org' })
  t.ok(invited.body.includes(accountTexts.notifications.mailed('New@example.org')))
  const anybody = await browser.submit('/people', '/people/invite', { email: '' })
  t.notMatch(anybody.body, 'by e-mail.</p>')
  const safe = await app.safes.create(ann.id, 'Buy now at https://eve.example')
  const path = `/safes/${safe.id}/share`
  const shared = await browser.submit(path, `${path}/invite`, { email: 'cy@example.org', role: 'reader' })
  t.ok(shared.body.includes(accountTexts.notifications.mailed('cy@example.org')))
  const reset = await browser.submit('/people', `/people/${bo.id}/reset`)
  t.ok(reset.body.includes(accountTexts.notifications.mailed('bo@example.org')))

  const mails = await received()
  const to = (email: string) => mails.find(mail => mail.to.includes(email))
  t.equal(mails.length, 3)
  const link = linkIn(to('New@example.org')?.text ?? '', 'invite')
  t.ok(link !== '' && invited.body.includes(link), 'the same link')
  t.match(to('cy@example.org')?.text, /^ann@example\.org invites you to share a Safe/)
  t.notMatch(to('cy@example.org')?.raw, 'eve.example', 'a stranger gets nothing that a member wrote')
  t.ok(reset.body.includes(linkIn(to('bo@example.org')?.text ?? '', 'reset')))

  const more = { to: 'x@example.org', token: 'T', inviter: ann, isIntoSafe: false }
  for (let i = 0; i < 20; i++) t.same(await app.mail?.invite(more), { isSent: i < 18 })
  t.equal((await received()).length, 18, 'twenty an hour')
})

t.test('accounts get mail of what happened, unless they do not want it', async t => {
  const { app, ann, received } = await open(t)
  const safe = await app.safes.create(ann.id, 'Plans \u202Eand 燈台')
  const happen = async () => {
    const { connectionId } = await app.oauth.issueTokens(ann.id, { clientName: 'Cursor \u2028X: y' })
    app.activity.record({ kind: 'refresh-reused', accountId: ann.id, connectionId })
    await app.accounts.passwords.signIn('ann@example.org', PASSWORD, '192.0.2.7')
    const source = { source: 'broken.jsonl', bytes: Readable.from([Buffer.from('no json\n')]), commit: true }
    await app.safes.imports.add(ann.id, safe.id, source)
  }
  await happen()
  const mails = await received()
  const texts = mails.map(({ text }) => text).join('\n')
  t.equal(mails.length, 4)
  t.match(texts, /“Cursor X: y” \(unverified\) was connected/)
  t.match(texts, /An old key of “Cursor X: y” \(unverified\) was used again/)
  t.match(texts, /new browser|not been used before, from 192\.0\.2\.7/)
  t.match(texts, /“broken\.jsonl” could not be added to the Safe “Plans and 燈台”/)
  for (const { text, to, headers } of mails) {
    t.same(to, ['ann@example.org'])
    t.match(text, /Turn them off:\nhttps:\/\/safes\.example\/account#notifications/)
    t.equal(headers.has('x'), false)
  }

  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  await received()
  const page = (await browser.get('/account')).body
  t.match(page, /type="checkbox" name="mail" checked/)
  const saved = await browser.submit('/account', '/account/notifications', {})
  t.match(saved, { statusCode: 303, headers: { location: '/account?saved=notifications#notifications' } })
  const after = (await browser.get('/account?saved=notifications')).body
  t.notMatch(after, /name="mail" checked/)
  t.ok(after.includes(accountTexts.notifications.saved))
  await happen()
  t.same(await received(), [], 'turned off')
  await browser.submit('/account', '/account/notifications', { mail: 'on' })
  await happen()
  t.equal((await received()).length, 4, 'turned on again')

  for (let i = 0; i < 30; i++) app.activity.record({ kind: 'password-reset', accountId: ann.id })
  app.activity.record({ kind: 'password-reset', accountId: 'unknown' })
  t.equal((await received()).length, 20 - 4 - 4 - 1, 'twenty an hour')
})

t.test('administrators get mail once a day that backups are overdue', async t => {
  const file = join(dataDir(t), 'file')
  writeFileSync(file, 'No folder can be made here.')
  const { app, clock, received } = await open(t, { BACKUP_DIR: join(file, 'backups') })
  await app.accounts.add('member@example.org', PASSWORD)
  await app.listen({ port: 0, host: '127.0.0.1' })
  let mails = await received()
  while (mails.length === 0) {
    await pause(20)
    mails = await received()
  }
  t.same(
    mails.map(({ to }) => to),
    [['ann@example.org']],
  )
  t.match(mails[0]?.text, /BACKUP_DIR\) has no backup\. See the log/)
  app.mail?.warnOfBackups(null)
  t.same(await received(), [], 'once a day')
  const skip = app.redis ? 'Redis counts the day by its own clock' : false
  await t.test('and again the next day', { skip }, async t => {
    clock.now += 24 * HOUR
    app.mail?.warnOfBackups(Date.UTC(2026, 0, 1))
    t.match((await received())[0]?.text, /no new backup since 1 Jan 2026/)
  })
})

t.test('without SMTP_URL the page says how to get a link', async t => {
  const without = await build(t)
  const page = await new Browser(without).get('/forgot')
  t.equal(page.statusCode, 200)
  t.match(page.body, 'svc account reset')
  t.notMatch(page.body, 'action="/forgot"')
  t.equal((await new Browser(without).post('/forgot', { email: 'ann@example.org' })).statusCode, 404)
  await without.accounts.add('ann@example.org', PASSWORD)
  t.match((await new Browser(without).get('/login')).body, 'href="/forgot"')
  const signedIn = new Browser(without)
  await signedIn.signIn('ann@example.org')
  t.notMatch((await signedIn.get('/account')).body, accountTexts.notifications.title)
})
