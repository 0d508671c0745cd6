import t from 'tap'
import { NOTICE_KINDS } from '../../../domain/activity/entry.js'
import {
  invitationMail,
  MAILED_KINDS,
  type Notice,
  noticeMail,
  oneLine,
  resetMail,
} from '../../../domain/mail/compose.js'
import { isMailAddress } from '../../../domain/mail/mail.js'
import { words } from '../../words.js'

const service = { brand: 'svc', baseUrl: 'https://safes.example' }
const to = 'ann@example.org'
const HOSTILE = `Line\r\nBcc: eve@example.org\n\n\u2028\u202E${'very long '.repeat(1000)}燈台\0`

t.test('a name is one short line, whatever it contains', async t => {
  const line = oneLine(HOSTILE)
  t.match(line, /^Line Bcc: eve@example\.org very long [^\p{C}\p{Zl}\p{Zp}]+…$/u)
  t.equal([...line].length, 81)
  t.equal(oneLine('燈台守の記録 🗼'), '燈台守の記録 🗼')
  t.equal([...oneLine('🗼'.repeat(100))].length, 81)
})

t.test('every notice says what happened, where to go and how to turn it off', async t => {
  const notices: Notice[] = [
    { kind: 'connected', client: { name: HOSTILE, isVerified: true }, host: HOSTILE },
    { kind: 'refresh-reused', client: { name: HOSTILE, isVerified: true } },
    { kind: 'signed-in-new', address: '192.0.2.1' },
    { kind: 'import-failed', source: HOSTILE, safe: HOSTILE, safeId: 'abc' },
    { kind: 'password-reset' },
    { kind: 'backup-overdue', newestAt: null },
  ]
  for (const notice of notices) {
    const mail = noticeMail(service, to, notice)
    t.match(mail.subject, /^[A-Z][\w ‘’-]+$/, notice.kind)
    t.match(mail.text, /Turn them off:\nhttps:\/\/safes\.example\/account#notifications\n$/)
    t.ok(mail.text.length < 700, notice.kind)
    t.notMatch(mail.text, /^Bcc/m)
  }
  const anonymous = noticeMail(service, to, { kind: 'connected', client: null, host: null })
  t.match(anonymous.text, /^An app was connected to your account\. If/)
  const late = noticeMail(service, to, { kind: 'backup-overdue', newestAt: Date.UTC(2026, 0, 1) })
  t.match(late.text, /no new backup since 1 Jan 2026/)
})

t.test('what is mailed is also a notice on the pages', async t => {
  t.same(
    [...MAILED_KINDS].filter(kind => !(NOTICE_KINDS as readonly string[]).includes(kind)),
    [],
  )
  t.equal(MAILED_KINDS.has('reset-link'), false, 'its link is mailed itself')
})

t.test('links to reset and invitations contain the link and nothing that a stranger wrote', async t => {
  const invitation = invitationMail(service, { to, token: 'T', inviter: 'bo@example.org', isIntoSafe: true })
  t.match(invitation.text, /^bo@example\.org invites you to share a Safe on https:\/\/safes\.example\./)
  t.match(invitation.text, /\nhttps:\/\/safes\.example\/invite\?token=T\n/)
  const reset = resetMail(service, { to, token: 'T', hours: 1, isAsked: true })
  t.match(reset.text, /after 1 hour:\nhttps:\/\/safes\.example\/reset\?token=T\n/)
  const made = resetMail(service, { to, token: 'T', hours: 24, isAsked: false })
  t.match(made.text, /^An administrator of https:\/\/safes\.example lets you .+ after 24 hours:/s)
})

t.test('no mail is sent to what could be read as more than an address', async t => {
  for (const good of ['a@b.example', 'Ann.O’Neil+x@b.example', 'käthe@bücher.example'])
    t.ok(isMailAddress(good), good)
  for (const bad of [
    ...words(`
    a@b.example,c@d.example a<b@c.example> a@b@c.example (x)a@b.example a@[127.0.0.1] a
  `),
    'a@b.example\r\nBcc: c@d.example',
    '"a b"@c.example',
    `${'a'.repeat(250)}@c.example`,
  ])
    t.notOk(isMailAddress(bad), bad)
})
