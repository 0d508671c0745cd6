import t from 'tap'
import { postgresUrls } from '../../platform/storage/postgres/postgres-url.js'
import { words } from '../words.js'

t.test('one URL for each host, in order (PostgreSQL, "Specifying Multiple Hosts")', async t => {
  for (const [url, expected] of [
    ['postgres://u@h/db', ['postgres://u@h/db']],
    ['postgresql://u:a%2Cb@h:1/db?sslmode=disable', ['postgresql://u:a%2Cb@h:1/db?sslmode=disable']],
    [
      'postgres://u:p@one:5432,two/db?target_session_attrs=read-write&sslmode=require',
      ['postgres://u:p@one:5432/db?sslmode=require', 'postgres://u:p@two/db?sslmode=require'],
    ],
    ['postgres://u@[::1]:5,127.0.0.1:6/db', ['postgres://u@[::1]:5/db', 'postgres://u@127.0.0.1:6/db']],
  ] as const)
    t.strictSame(postgresUrls(url), expected, url)
})

t.test('what is no address of a Postgres that takes writes is refused, without its password', async t => {
  for (const url of words(`
    mysql://h/db postgres:// postgres://u:secret@one,/db postgres://u:secret@one:x,two/db
    postgres://u:secret@one,two/db?target_session_attrs=standby
  `)) {
    t.throws(() => postgresUrls(url), { message: /^(?!.*secret)/ }, url)
  }
})
