import t from 'tap'
import { parseMailFrom, parseSmtpUrl } from '../../../domain/mail/smtp-url.js'
import { loadConfig } from '../../../plugins/config.js'
import { words } from '../../words.js'

t.test('SMTP_URL names a server, its port and a user', async t => {
  t.same(parseSmtpUrl('smtp://mail.example.com'), {
    host: 'mail.example.com',
    port: 587,
    secure: false,
    auth: null,
  })
  t.same(parseSmtpUrl('smtps://me%40a.example:p%40ss%3A@[::1]:1465/'), {
    host: '::1',
    port: 1465,
    secure: true,
    auth: { user: 'me@a.example', pass: 'p@ss:' },
  })
  t.match(parseSmtpUrl('smtps://mail.example.com'), { port: 465, secure: true })
})

t.test('another form stops the start, without the password in the message', async t => {
  for (const bad of words(`
    mail.example.com http://mail.example.com smtp:// smtp://user@mail.example.com
    smtp://:secret-word@mail.example.com smtp://user:secret-word%@mail.example.com
    smtp://user:secret-word@mail.example.com/path smtp://user:secret-word@mail.example.com?tls=no
    smtp://user:secret-word@mail.example.com:99999
  `)) {
    const start = () => loadConfig({ SMTP_URL: bad, MAIL_FROM: 'a@b.example' })
    t.throws(start, { message: /^SMTP_URL should be smtp:\/\/user:password@host/ }, bad)
    t.throws(start, { message: /^((?!secret-word)[\s\S])*$/ }, bad)
  }
})

t.test('MAIL_FROM is an address, with a name or without', async t => {
  t.same(parseMailFrom(' a@b.example '), { name: '', address: 'a@b.example' })
  t.same(parseMailFrom('Our Safes <a@b.example>'), { name: 'Our Safes', address: 'a@b.example' })
  for (const bad of [
    '',
    'safes',
    'a@b.example, c@d.example',
    'X\r\nBcc: c@d.example <a@b.example>',
    '<a@b.example',
  ])
    t.equal(parseMailFrom(bad), null, bad)
  t.throws(() => loadConfig({ SMTP_URL: 'smtp://m.example' }), { message: /^MAIL_FROM should be an address/ })
  t.throws(() => loadConfig({ MAIL_FROM: 'no address' }), { message: /^MAIL_FROM should be an address/ })
  t.equal(loadConfig({ MAIL_FROM: 'a@b.example' }).mail, null, 'no server, no mail')
  t.match(loadConfig({ MAIL_FROM: 'a@b.example', SMTP_URL: 'smtp://m.example' }).mail, {
    server: { host: 'm.example' },
    from: { address: 'a@b.example' },
  })
})
