// Attacks by readers on a Safe's inbox: a full inbox blocks proposals from everybody else's assistants (ADR 53).
import t, { type Test } from 'tap'
import { LIMITS } from '../../../domain/proposals/proposal.js'
import { build } from '../../helper.js'
import { PASSWORD } from '../../integration/pages/browser.js'

let next = 0

/** Ann's Safe with readers, and proposals of their assistants. */
async function open(t: Test, readers: number) {
  const app = await build(t, { env: { PROPOSALS: 'inbox' } })
  const add = (name: string) => app.accounts.add(`${name}@a.example`, PASSWORD)
  const ann = await add('ann')
  const safe = await app.safes.create(ann.id, 'Harbour')
  const people = await Promise.all(Array.from({ length: readers }, (_, i) => add(`reader${i}`)))
  for (const { id } of people) await app.safes.members.share(ann.id, safe.id, id, 'reader')
  /** Proposes something new. @returns whether it was accepted, or the code of the error */
  const propose = async (accountId: string, connection = 'c') => {
    const statements = [{ subject: 'Jonas', predicate: 'says', object: `Number ${next++}` }]
    const proposal = { statements, note: null, source: null }
    const proposer = { accountId, connectionId: `${accountId}${connection}` }
    return app.proposals.propose(proposer, safe.id, proposal).then(
      ({ id }) => ({ id, code: 'taken' }),
      ({ code }: { code: string }) => ({ id: '', code }),
    )
  }
  /** The pending proposals: all, or those of one person. */
  const waiting = async (name = '') =>
    (await app.proposals.pending(ann.id, safe.id, { limit: 200 })).filter(({ email }) =>
      email.startsWith(name),
    )
  return { app, ann, safe, readers: people, propose, waiting }
}

t.test('however many readers there are, a fifth of the places is for the owners', async t => {
  const { app, ann, safe, readers, propose, waiting } = await open(t, 5)
  for (const { id } of readers) for (let i = 0; i < 20; i++) await propose(id, `c${i % 2}`)
  t.equal((await waiting()).length, LIMITS.pendingForReaders)
  t.equal((await propose(readers[4]!.id)).code, 'too_many_pending')
  t.equal((await propose(ann.id)).code, 'taken')

  const second = await app.accounts.add('second@a.example', PASSWORD)
  await app.safes.members.share(ann.id, safe.id, second.id, 'owner')
  for (let i = 0; i < 20; i++) await propose(second.id)
  t.equal((await waiting()).length, LIMITS.pending)
  t.equal((await propose(ann.id)).code, 'too_many_pending', 'the owners fill it')
})
