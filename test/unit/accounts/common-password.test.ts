import t from 'tap'
import { isCommonPassword } from '../../../domain/accounts/common-password.js'
import { COMMON_PASSWORD_HASHES } from '../../../domain/accounts/common-password-hashes.js'
import { readNewPassword } from '../../../domain/accounts/credentials.js'
import { words } from '../../words.js'

const context = { email: 'ann.lighthouse@example.org', brand: 'lighthousekeeper' }

const refusalOf = (password: string) =>
  readNewPassword(password, context).then(
    () => null,
    error => error.message as string,
  )

t.test('the commonest passwords are refused in any spelling (NIST SP 800-63B §5.1.1.2)', async t => {
  for (const common of words(`
      password1234 Password1234 QWERTY123456 123456789012 ｐａｓｓｗｏｒｄ１２３４
    `))
    t.match(await refusalOf(common), /one of the most common/, common)
  for (const fine of ['correct horse battery', 'password1234 and more', 'xkcd 936 xkcd 936', '🗼'.repeat(12)])
    t.equal(await refusalOf(fine), null, fine)
})

t.test('the e-mail address and the name of the service are no passwords', async t => {
  for (const name of ['ann.lighthouse@example.org', 'Ann.Lighthouse@Example.ORG ', 'LighthouseKeeper'])
    t.match(await refusalOf(name), /not your e-mail address or the name of this service/, name)
  t.equal(await refusalOf('ann.lighthouse@example.com'), null, 'another address is no name of this account')
})

t.test('length is the only other rule', async t => {
  t.match(await refusalOf('eleven char'), /at least 12/)
  t.match(await refusalOf('x'.repeat(1001)), /at most 1,000/)
  t.equal(await refusalOf('twelve chars'), null)
  t.equal(await refusalOf('aaaaaaaaaaab'), null, 'no rule about kinds of characters')
})

t.test('the list is sorted', async t => {
  const bytes = Buffer.from(COMMON_PASSWORD_HASHES, 'base64')
  const hashes = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(i * 4))
  t.ok(hashes.length > 10_000)
  t.ok(
    hashes.every((hash, i) => i === 0 || hash > (hashes[i - 1] ?? 0)),
    'sorted, without repetitions',
  )
  t.equal(await isCommonPassword('no such password at all'), false)
})
