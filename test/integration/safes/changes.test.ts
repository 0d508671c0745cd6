import { Readable } from 'node:stream'
import t from 'tap'
import { testClock } from '../../helper.js'
import { zip } from '../../zip.js'
import { buildService } from '../mcp/service.js'

t.test(
  'the latest changes of a Safe name what came, what was written and, for owners, what was removed',
  async t => {
    const clock = testClock(Date.UTC(2026, 4, 12))
    const { app, ann, bob, harbour } = await buildService(t, { clock })
    const { safes } = app
    await safes.members.share(ann, harbour, bob, 'reader')
    const add = async (source: string, bytes: Buffer, commit = true) => {
      clock.now += 60_000
      return safes.imports.add(ann, harbour, { source, bytes: Readable.from([bytes]), commit })
    }
    const notes = ['a', 'b', 'c', 'd', 'e'].map(name => ({
      name: `${name}.md`,
      content: `# Title ${name}\n\nText of ${name}.`,
    }))
    await add('notes.zip', zip(notes))
    await add('facts.jsonl', Buffer.from('{"type":"relation","from":"Ada","relationType":"knows","to":"Bo"}'))
    await add('waits.md', Buffer.from('Not accepted yet.'), false)
    clock.now += 60_000
    const { path } = await safes.notes.add(ann, harbour, 'Crane', 'Lifts stones.')
    clock.now += 60_000
    await safes.removed.removeFact(ann, harbour, { subject: 'Ada', predicate: 'knows', object: 'Bo' })
    const shown = async (accountId: string, limit = 10) =>
      (await safes.changes.latest(accountId, harbour, limit)).map(change =>
        change.kind === 'removal'
          ? `removed ${change.shown.join(' ')}`
          : `${change.kind} ${change.source}: ${change.documents.map(({ path }) => path).join(' ')}`,
      )
    const others = [
      `notes Notes written here: ${path}`,
      'import facts.jsonl: facts.jsonl',
      'import notes.zip: a.md b.md c.md d.md',
    ]
    t.same(await shown(ann), ['removed Ada knows Bo', ...others])
    t.same(await shown(ann, 2), ['removed Ada knows Bo', others[0]])
    t.same(await shown(bob), others, 'a reader does not see what was removed')
    const times = (await safes.changes.latest(ann, harbour, 10)).map(({ at }) => at)
    t.equal(times[0], clock.now)
    t.equal(new Set(times).size, 4)
  },
)
