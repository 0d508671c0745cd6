import { Readable } from 'node:stream'
import t from 'tap'
import { build } from '../../helper.js'

/** A file that takes seconds to read and is refused: after a bad line, the rest is only checked. */
const long = [
  '{',
  ...Array.from({ length: 150_000 }, (_, i) => JSON.stringify({ type: 'entity', name: `Thing ${i}` })),
].join('\n')

/** Files of one account, if the note has to wait for all of them. */
const MAX_SLOW = 20

t.test('four accounts with slow files do not keep a note of a fifth from being read', async t => {
  const app = await build(t)
  const accounts = ['a', 'b', 'c', 'd', 'ann']
  const row = { password_hash: '', role: 'member' as const, session_epoch: 0, created_at: 0 }
  await app.database.write(trx =>
    trx
      .insertInto('accounts')
      .values(accounts.map(id => ({ ...row, id, email: `${id}@example.com` })))
      .execute(),
  )
  const ended: string[] = []
  const read = async (account: string, source: string, content: Buffer | string) => {
    const { id } = await app.safes.create(account, 'Safe')
    const bytes = Readable.from([Buffer.from(content)])
    const { status } = await app.safes.imports.add(account, id, { source, bytes, commit: true })
    ended.push(`${source} ${status}`)
  }
  let isRead = false
  const slow = accounts.slice(0, 4).map(async account => {
    for (let file = 0; file < MAX_SLOW && !isRead; file++) await read(account, `${file}.jsonl`, long)
  })
  await read('ann', 'note.md', 'Ada met [[Bob]].')
  isRead = true
  t.ok(ended.length < 4 * MAX_SLOW, `${ended.join(', ')}: the others had more to read`)
  t.equal(ended.at(-1), 'note.md committed')
  await Promise.all(slow)
  t.notMatch(ended.join(), /jsonl committed/, 'each of theirs is refused')
})
